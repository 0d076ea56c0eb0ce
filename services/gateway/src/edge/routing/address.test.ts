/** The requested host, and the hosts that this server accepts (D032, D033). */
import type { IncomingMessage } from 'node:http'
import { expect, test } from 'vitest'
import { hostOf } from './address.js'
import { createHostTest } from './hosts.js'

const request = (headers: Record<string, string>): IncomingMessage =>
  ({ headers, socket: { remoteAddress: '198.51.100.9' } }) as unknown as IncomingMessage

test('the host is from X-Forwarded-Host if a proxy is trusted, else from the Host header', () => {
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
])('D032 host %j is accepted: %s', (host, ours) => {
  const isOurs = createHostTest({ localDomain: 'social.example', webDomain: 'web.social.example' }, 'old.example,', 0)
  expect(isOurs(request({ host }))).toBe(ours)
  // Checked again after an accepted name, because the test caches the last one.
  expect(isOurs(request({ host: 'social.example' }))).toBe(true)
  expect(isOurs(request({ host }))).toBe(ours)
})

test('D032 behind a trusted proxy only the forwarded host counts', () => {
  const isOurs = createHostTest({ localDomain: 'social.example', webDomain: 'social.example' }, '', 1)
  expect(isOurs(request({ host: 'pod-7.internal', 'x-forwarded-host': 'social.example' }))).toBe(true)
  expect(isOurs(request({ host: 'social.example', 'x-forwarded-host': 'evil.example' }))).toBe(false)
})
