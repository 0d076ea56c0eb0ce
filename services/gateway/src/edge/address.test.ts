/** Who is believed about where a request comes from, as tables (D033, A087). */
import type { IncomingMessage } from 'node:http'
import { expect, test } from 'vitest'
import { addressOf, hostOf } from './address.js'
import { createHostTest } from './hosts.js'

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

test('the host is what the trusted proxy says, else what the request names', () => {
  const headers = { host: 'Inner.example:3000', 'x-forwarded-host': 'social.example' }
  expect(hostOf(request(headers), 0)).toBe('inner.example')
  expect(hostOf(request(headers), 1)).toBe('social.example')
  expect(hostOf(request({ host: 'social.example.' }), 1)).toBe('social.example')
})

test.each([
  ['social.example', true],
  ['SOCIAL.example:443', true],
  ['social.example.', true],
  ['web.social.example', true],
  ['old.example', true],
  ['localhost:3000', true],
  ['127.0.0.1:3000', true],
  ['[::1]:3000', true],
  ['evil.example', false],
  ['social.example.evil.example', false],
  ['xsocial.example', false],
  ['', false],
])('D032 host %j is ours: %s', (host, ours) => {
  const isOurs = createHostTest({ localDomain: 'social.example', webDomain: 'web.social.example' }, 'old.example,', 0)
  expect(isOurs(request({ host }))).toBe(ours)
  // Asked again: what passed before must not make another name pass.
  expect(isOurs(request({ host: 'social.example' }))).toBe(true)
  expect(isOurs(request({ host }))).toBe(ours)
})

test('D032 behind a proxy only the forwarded host counts', () => {
  const isOurs = createHostTest({ localDomain: 'social.example', webDomain: 'social.example' }, '', 1)
  expect(isOurs(request({ host: 'pod-7.internal', 'x-forwarded-host': 'social.example' }))).toBe(true)
  expect(isOurs(request({ host: 'social.example', 'x-forwarded-host': 'evil.example' }))).toBe(false)
})
