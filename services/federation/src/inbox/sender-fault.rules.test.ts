/** Faults that a sender can correct, and similar activities without a fault. */

import { readActivity } from '@murmuration/activitypub/vocabulary/read-activity'
import { expect, test } from 'vitest'
import { isSenderFault, senderFault } from './sender-fault.rules.js'

const ACTOR = 'https://a.example/users/1'
const document = (fields: Record<string, unknown>) => ({
  '@context': 'https://www.w3.org/ns/activitystreams',
  id: 'https://a.example/activities/1',
  actor: ACTOR,
  ...fields,
})
const faultOf = (fields: Record<string, unknown>) => {
  const read = readActivity(document(fields))
  if (!read.ok) throw new Error(read.reason)
  return senderFault(read.activity, new Set(['ours.example']))
}
const note = (id: string, attributedTo = ACTOR) => ({ id, type: 'Note', attributedTo })

test.each<[string, Record<string, unknown>, string | null]>([
  ['an own status', { type: 'Create', object: note('https://a.example/1') }, null],
  [
    'a status of another',
    { type: 'Create', object: note('https://a.example/1', `${ACTOR}2`) },
    'attributed-to-another',
  ],
  ['a status of ours', { type: 'Create', object: 'https://ours.example/1' }, 'object-is-ours'],
  ['a status without an id', { type: 'Create', object: { type: 'Note' } }, null],
  [
    'one good status among others',
    { type: 'Create', object: [note('https://b.example/1'), note('https://a.example/1')] },
    null,
  ],
  ['the own profile', { type: 'Update', object: { id: ACTOR, type: 'Person' } }, null],
  ['an edit by address', { type: 'Update', object: 'https://a.example/1' }, null],
  ['an Undo of an own activity', { type: 'Undo', object: 'https://a.example/likes/1' }, null],
  ['a Move named by the page', { type: 'Move', object: 'https://a.example/@one', target: 'https://b.example/1' }, null],
  [
    'a quote of a third server',
    { type: 'QuoteRequest', object: 'https://b.example/1', instrument: 'https://a.example/1' },
    null,
  ],
  ['a Delete of something unknown', { type: 'Delete', object: 'https://b.example/1' }, null],
  ['a boost', { type: 'Announce', object: 'https://b.example/1' }, null],
])('%s', (_, fields, fault) => {
  expect(faultOf(fields)).toBe(fault)
})

test('a missing object is a fault, one of an unknown form is none', () => {
  expect(isSenderFault('bad-object', document({ type: 'Like' }))).toBe(true)
  expect(isSenderFault('bad-object', document({ type: 'Like', object: 'bear:?t=x' }))).toBe(false)
  expect(isSenderFault('unsupported-type', document({ type: 'Travel' }))).toBe(false)
})
