/** Operations that each role of a service serves. */
import { internal, operation } from '@murmuration/contracts/kit'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { type RolePlan, servedBy } from './manifest.js'

const made = (name: string) =>
  operation(name, { viewer: internal(), input: z.object({}), output: z.object({}), about: 'A test.' })
const [quick, slow] = [made('media.word.quick'), made('media.word.slow')]
const entries = [quick, slow].map((one) => ({ entry: 'operation' as const, operation: one, run: async () => ({}) }))
const plan = (operations?: RolePlan['operations']): RolePlan => ({
  scales: '',
  needs: [],
  ...(operations === undefined ? {} : { operations }),
})
const names = (...plans: RolePlan[]) => servedBy(plans, entries).map((entry) => entry.operation.name)

test('a role serves all, none or the listed operations', () => {
  expect(names(plan(true))).toEqual([quick.name, slow.name])
  expect(names(plan())).toEqual([])
  expect(names(plan(false))).toEqual([])
  expect(names(plan([slow]))).toEqual([slow.name])
})

test('a process in several roles serves the union of their operations', () => {
  expect(names(plan([slow]), plan([quick, slow]))).toEqual([quick.name, slow.name])
})
