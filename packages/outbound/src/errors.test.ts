/** Errors that are not caused by the peer. */
import { expect, test } from 'vitest'
import { OutboundError } from './errors.js'

const withCode = (code: string) => Object.assign(new Error(code), { code })

test('delivery 5 exhausted local sockets are not an error of the peer, at every stage of the request', () => {
  const ours = (cause?: unknown) => new OutboundError('connect', 'no connection', { cause }).at('sent').ours
  expect(['EMFILE', 'ENFILE', 'EADDRNOTAVAIL', 'UND_ERR_CLOSED'].map((code) => ours(withCode(code)))).toEqual(
    Array(4).fill(true),
  )
  expect(['ECONNREFUSED', 'ETIMEDOUT', 'EHOSTUNREACH'].map((code) => ours(withCode(code)))).toEqual(
    Array(3).fill(false),
  )
  // Several addresses were tried.
  const tried = (...codes: string[]) => ours(new AggregateError(codes.map(withCode)))
  expect([tried('EMFILE', 'EMFILE'), tried('EMFILE', 'ECONNREFUSED'), tried()]).toEqual([true, false, false])
  expect([ours(), ours(null), ours('EMFILE')]).toEqual([false, false, false])
  const full = new OutboundError('timeout', 'too many requests are waiting to leave', { ours: true })
  expect(new OutboundError('dns', 'the name could not be looked up', { cause: full }).ours).toBe(true)
})
