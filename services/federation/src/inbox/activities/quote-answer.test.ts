// The local quoting status that the Accept or Reject of a QuoteRequest names.

import { readActivity } from '@murmuration/activitypub/vocabulary/read-activity'
import { expect, test } from 'vitest'
import { quoteAsked } from './quote-answer.js'

const ctx = { self: { ownHosts: new Set(['local.example']) } }
const actor = 'https://remote.example/users/vera'
const asked = (object: unknown) => {
  const context = 'https://www.w3.org/ns/activitystreams'
  const read = readActivity({ '@context': context, type: 'Reject', id: `${actor}/1`, actor, object })
  if (!read.ok || read.activity.type !== 'Reject') throw new Error('no Reject')
  return quoteAsked(ctx, read.activity)
}
const request = (more: object) => ({ type: 'QuoteRequest', object: `${actor}/notes/1`, ...more })
const status = 'https://local.example/ap/users/1/statuses/7'

test.each([
  ['the id of the request', 'https://local.example/ap/users/1/quote_requests/7', '7'],
  ['the request with its id', request({ id: 'https://local.example/ap/users/1/quote_requests/7' }), '7'],
  ['the request by its instrument', request({ instrument: status }), '7'],
  ['the instrument as an object', request({ instrument: { type: 'Note', id: status } }), '7'],
  ['an id of another server, and the instrument', request({ id: `${actor}/quote/1`, instrument: status }), '7'],
  ['an instrument elsewhere', request({ instrument: `${actor}/statuses/7` }), null],
  ['another activity', { type: 'Follow', instrument: status, object: actor }, null],
])('a Reject that names %s', (_, object, id) => {
  expect(asked(object)).toBe(id)
})
