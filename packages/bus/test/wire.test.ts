/** Envelopes are received as sent, and a caller is parsed once for many requests. */
import type { Caller } from '@murmuration/contracts/kit'
import { headers } from '@nats-io/transport-node'
import { expect, test } from 'vitest'
import { type Envelope, readEnvelope, writeEnvelope } from '../src/wire.js'

const caller = (id: string, userAgent: string | null): Caller => ({
  viewer: { id, userId: `u${id}`, permissions: 1, position: 0, locale: 'en' },
  app: { id: '5', tokenId: '6', scopes: ['read'] },
  ip: '192.0.2.1',
  userAgent,
})
const envelope = (one: Caller | null): Envelope => ({
  remainingMs: 1_000,
  caller: one,
  requestId: 'r',
  commandId: null,
  idempotencyKey: null,
  locale: 'en',
  traceparent: '',
})
const over = (one: Caller | null): Caller | null => readEnvelope(writeEnvelope(envelope(one))).caller

test('the caller is received as sent, independent of the previous caller', () => {
  const [first, second] = [caller('1', 'Reader/1'), caller('2', null)]
  for (const one of [first, second, first, null, second]) expect(over(one)).toEqual(one)
  const far = over(over(caller('3', 'Leserin äöü')))
  expect(far).toEqual(caller('3', encodeURIComponent('Leserin äöü')))
})

test('requests of one caller share the parsed caller, which cannot be changed', () => {
  const read = over(caller('4', null))
  expect(over(caller('4', null))).toBe(read)
  expect(() => Object.assign(read?.viewer ?? {}, { permissions: 2 ** 20 })).toThrow(TypeError)
  expect(() => Object.assign(read?.app?.scopes ?? [], ['admin:write'])).toThrow(TypeError)
})

test('D078 an invalid caller is refused each time', () => {
  const h = headers()
  h.set('Caller', JSON.stringify({ ...caller('7', null), viewer: { id: 7 } }))
  for (let i = 0; i < 2; i++) expect(() => readEnvelope(h)).toThrow()
})

test('the arrival time of a request is received as sent, and invalid values are ignored', () => {
  const read = readEnvelope(writeEnvelope({ ...envelope(null), arrival: { at: 1_764_061_234_567.9, waitedMs: 41.2 } }))
  expect(read.arrival).toEqual({ at: 1_764_061_234_567, waitedMs: 42 })
  expect(readEnvelope(writeEnvelope(envelope(null))).arrival).toBe(null)
  for (const text of ['soon', '1', '1 2 3', '-1 2', '1e3 2', '1 9999999999']) {
    const h = writeEnvelope(envelope(null))
    h.set('Arrival', text)
    expect(readEnvelope(h).arrival).toBe(null)
  }
})
