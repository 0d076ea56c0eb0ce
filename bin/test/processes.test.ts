/** `npm start` runs every role of every service in exactly one process. */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
// @ts-expect-error A plain module without types.
import { processes } from '../lib/processes.mjs'

const known = JSON.parse(readFileSync(new URL('../../helm/murmuration/roles.json', import.meta.url), 'utf8')) as {
  service: string
  role: string
}[]

test('every role of the manifests is started once', () => {
  const started = Object.values(processes as Record<string, string[]>)
    .flat()
    .flatMap((entry) => {
      const [service = '', roles] = entry.split(':')
      const names = roles?.split(',') ?? known.filter((one) => one.service === service).map((one) => one.role)
      return names.map((role) => `${service}:${role}`)
    })
  expect(started.toSorted()).toEqual(known.map(({ service, role }) => `${service}:${role}`).toSorted())
})
