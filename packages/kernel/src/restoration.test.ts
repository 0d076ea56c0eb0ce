/** Tests of the undo of recorded changes. */
import { expect, test } from 'vitest'
import { z } from 'zod'
import { type Restoration, restorationOf, stateIn } from './restoration.js'

const date = z.string().transform((text) => new Date(text))
const Rule = z.object({ text: z.string(), hint: z.string().default(''), at: date.nullable().default(null) })
type Rule = z.output<typeof Rule>
const a = { text: 'a', hint: 'x' }
const b = { text: 'b', hint: 'x' }

test.each<[string, unknown, unknown, object | null, Restoration<Partial<Rule>> | object]>([
  ['an added row is removed', null, a, a, { to: null }],
  ['an added row that is gone is undone already', null, a, null, 'already'],
  ['an added row that changed stays', null, a, b, 'changed_since'],
  ['a removed row is stored again', a, null, null, { to: { ...a, at: null } }],
  ['a removed row that is there again is undone already', a, null, a, 'already'],
  ['a removed row that another one replaced stays away', a, null, b, 'changed_since'],
  ['a changed row gets its fields back', a, b, b, { to: { ...a, at: null } }],
  ['a change restores only its own fields', a, b, { ...b, hint: 'new' }, { to: { text: 'a', hint: 'new', at: null } }],
  ['a changed row that has its old fields is undone already', a, b, { ...a, hint: 'new' }, 'already'],
  ['a changed row that changed again stays', a, b, { ...a, text: 'c' }, 'changed_since'],
  ['a changed row that is gone stays away', a, b, null, 'changed_since'],
  ['a change of nothing stores what is there', a, a, b, { to: { ...b, at: null } }],
  ['a record without states is incomplete', null, undefined, a, 'not_recorded'],
  ['a record of another shape is incomplete', { name: 'a' }, b, b, 'not_recorded'],
])('%s', (_name, before, after, current, expected) => {
  expect(restorationOf(Rule, { before, after }, stateIn(Rule, current))).toEqual(expected)
})

test('dates are compared by their time, and stay dates', () => {
  const at = new Date(1_700_000_000_000)
  const current = stateIn(Rule, { text: 'b', hint: '', at, secret: 'not recorded' })
  expect(current).toEqual({ text: 'b', hint: '', at })
  const recorded = JSON.parse(JSON.stringify({ before: { ...b, at: null }, after: { ...b, at } }))
  expect(restorationOf(Rule, recorded, current)).toEqual({ to: { text: 'b', hint: '', at: null } })
  expect(restorationOf(Rule, { before: recorded.after, after: recorded.before }, { ...b, at: null })).toEqual({
    to: { ...b, at },
  })
})

test('fields that change without an action do not prevent an undo', () => {
  const current = { ...a, at: new Date(5) }
  expect(restorationOf(Rule, { before: null, after: a }, current, ['at'])).toEqual({ to: null })
  expect(restorationOf(Rule, { before: null, after: a }, current)).toBe('changed_since')
})
