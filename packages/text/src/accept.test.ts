/** Choice between HTML page and JSON document by the Accept header. */
import { expect, test } from 'vitest'
import { wantsJson, wantsPage } from './accept.js'

test.each([
  ['', false, false],
  ['*/*', false, false],
  ['text/html', true, false],
  ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', true, false],
  ['application/activity+json', false, true],
  ['application/ld+json; profile="https://www.w3.org/ns/activitystreams"', false, true],
  ['application/activity+json, text/html;q=0.1', false, true],
  ['text/html;q=0.5, application/json;q=0.5', false, true],
  ['text/html;q=0.9, application/json;q=0.5', true, true],
  ['text/html;q=0', false, false],
  ['text/html;q=nonsense', true, false],
  [`text/html${',x/y'.repeat(100_000)}`, true, false],
])('Accept: %s', (accept, page, json) => {
  expect([wantsPage(accept), wantsJson(accept)]).toEqual([page, json])
})
