// The local quoting status that the Accept or Reject of a QuoteRequest names.

import { readActivity } from '@murmuration/activitypub/vocabulary/read-activity'
import { expect, test } from 'vitest'
import { requestedQuote } from './quote-response.js'

/** Addresses of the local status 7, and of a reblog of it. */
const known = [
  '/ap/users/1/statuses/7',
  '/@ann/7',
  '/ap/users/1/statuses/7/activity',
  '/ap/users/1/statuses/8/activity',
]
const ctx = {
  self: { ownHosts: new Set(['local.example']) },
  accountCache: {
    statusAt: async (address: string) => {
      const { pathname } = new URL(address)
      const reblog_of = pathname.includes('/8/') ? '7' : null
      return known.includes(pathname) ? { local: true, reblog_of, id: reblog_of ? '8' : '7' } : null
    },
  },
} as unknown as Parameters<typeof requestedQuote>[0]
const actor = 'https://remote.example/users/vera'
const asked = (object: unknown) => {
  const context = 'https://www.w3.org/ns/activitystreams'
  const read = readActivity({ '@context': context, type: 'Reject', id: `${actor}/1`, actor, object })
  if (!read.ok || read.activity.type !== 'Reject') throw new Error('no Reject')
  return requestedQuote(ctx, read.activity)
}
const request = (more: object) => ({ type: 'QuoteRequest', object: `${actor}/notes/1`, ...more })
const status = 'https://local.example/ap/users/1/statuses/7'

test.each([
  ['the id of the request', 'https://local.example/ap/users/1/quote_requests/7', '7'],
  ['the request with its id', request({ id: 'https://local.example/ap/users/1/quote_requests/7' }), '7'],
  ['the request by its instrument', request({ instrument: status }), '7'],
  ['the instrument as an object', request({ instrument: { type: 'Note', id: status } }), '7'],
  ['an id of another server, and the instrument', request({ id: `${actor}/quote/1`, instrument: status }), '7'],
  ['its instrument by page', request({ instrument: 'https://local.example/@ann/7' }), '7'],
  ['its instrument by page, encoded', request({ instrument: 'https://local.example/%40ann/7/?x=1#y' }), '7'],
  ['its instrument as a Link', request({ instrument: { type: 'Link', href: status } }), '7'],
  ['its instrument by an object with a page', request({ instrument: { type: 'Note', url: status } }), '7'],
  ['the Create of its instrument', request({ instrument: `${status}/activity` }), '7'],
  ['the id of the request with a slash', 'https://local.example/ap/users/1/quote_requests/7/', '7'],
  ['its instrument, without a type', { instrument: status }, '7'],
  ['a reblog', request({ instrument: 'https://local.example/ap/users/1/statuses/8/activity' }), null],
  ['an instrument elsewhere', request({ instrument: `${actor}/statuses/7` }), null],
  ['another activity', { type: 'Follow', instrument: status, object: actor }, null],
])('a Reject that names %s', async (_, object, id) => {
  expect(await asked(object)).toBe(id)
})
