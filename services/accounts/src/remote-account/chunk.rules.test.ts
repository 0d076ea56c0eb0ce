/** Tests of the number of accounts per chunk and server, and of suspected accounts. */
import { expect, test } from 'vitest'
import { chunkOf } from './chunk.js'
import { isSuspect, MAX_OF_CHUNK, MAX_OF_HOST } from './chunk.rules.js'

const rows = (...domains: string[]) => domains.map((domain, n) => ({ id: String(n + 1), domain }))
const many = (count: number, domain: (n: number) => string) =>
  rows(...Array.from({ length: count }, (_, n) => domain(n)))

test.each([
  ['few accounts', rows('a.example', 'b.example'), [2, null, false]],
  ['no account', [], [0, null, false]],
  ['many of one server', many(100, () => 'a.example'), [MAX_OF_HOST, String(MAX_OF_HOST), true]],
  ['many of many servers', many(100, (n) => `${n}.example`), [MAX_OF_CHUNK, String(MAX_OF_CHUNK), false]],
] as const)('a chunk with %s has the expected share', (_name, all, expected) => {
  const { due, last, isFull } = chunkOf(all, '0')
  expect([due.length, last, isFull]).toEqual(expected)
})

const at = (days: number) => new Date(1_700_000_000_000 - days * 86_400_000)
test.each([
  ['read yesterday', { domain: 'a.example', fetched_at: at(1), fetch_failures: 0 }, false],
  ['read yesterday, and not readable since', { domain: 'a.example', fetched_at: at(1), fetch_failures: 2 }, true],
  ['read eight days ago', { domain: 'a.example', fetched_at: at(8), fetch_failures: 0 }, true],
  ['never read', { domain: 'a.example', fetched_at: null, fetch_failures: 0 }, true],
  ['of this server', { domain: null, fetched_at: null, fetch_failures: 9 }, false],
])('whether an account %s is suspected follows the table', (_name, row, suspected) => {
  expect(isSuspect({ id: '1', ...row }, 1_700_000_000_000)).toBe(suspected)
})
