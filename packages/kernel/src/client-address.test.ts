/** Trusted proxies for the address of a client, as a table (D033, A087). */
import type { IncomingMessage } from 'node:http'
import { expect, test } from 'vitest'
import { addressOf } from './client-address.js'

const request = (headers: Record<string, string>, peer = '198.51.100.9'): IncomingMessage =>
  ({ headers, socket: { remoteAddress: peer } }) as unknown as IncomingMessage

test.each([
  ['nobody is trusted', 0, '203.0.113.7', '198.51.100.9'],
  ['one proxy: the last place is its own', 1, 'forged, 203.0.113.7', '203.0.113.7'],
  ['two proxies: the place before the last', 2, '1.2.3.4, 203.0.113.7, 10.0.0.1', '203.0.113.7'],
  ['fewer places than proxies: somebody came past them', 2, '203.0.113.7', '198.51.100.9'],
  ['no header', 1, '', '198.51.100.9'],
  ['no address', 1, 'unknown', '198.51.100.9'],
  ['an injected line', 1, '1.2.3.4\tx', '198.51.100.9'],
  ['with a port', 1, '203.0.113.7:4711', '203.0.113.7'],
  ['IPv6 with a port', 1, '[2001:db8::1]:4711', '2001:db8::1'],
  ['IPv4 in IPv6', 1, '::ffff:203.0.113.7', '203.0.113.7'],
])('D033 %s', (_name, trusted, forwarded, expected) => {
  expect(addressOf(request(forwarded ? { 'x-forwarded-for': forwarded } : {}), trusted)).toBe(expected)
})

test('D033 a mapped peer address is its IPv4 address', () => {
  expect(addressOf(request({}, '::ffff:127.0.0.1'), 0)).toBe('127.0.0.1')
})
