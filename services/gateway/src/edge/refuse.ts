/** Any failure becomes the public error shape here, in one place; always JSON. */

import type { ServerResponse } from 'node:http'
import { asFailure, type Failure, meaningOf } from '@murmuration/contracts/kit'
import { failureBody, type Log } from '@murmuration/kernel'

/** Writes a refusal, if nothing was written yet. */
export const refuse = (res: ServerResponse, thrown: unknown, requestId: string, log: Log): Failure => {
  const failure = asFailure(thrown)
  const loud = meaningOf(failure.code).log
  if (loud !== 'quiet') log[loud]({ requestId, error: failure.extras.cause ?? failure }, 'request failed')
  if (res.headersSent) {
    res.destroy()
    return failure
  }
  const body = failureBody(failure, requestId)
  res.writeHead(failure.status, {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'; form-action 'none'",
    'X-Content-Type-Options': 'nosniff',
    'X-Request-Id': requestId,
    'Cache-Control': 'private, no-store',
    ...(failure.extras.retryAfter ? { 'Retry-After': String(Math.ceil(failure.extras.retryAfter)) } : {}),
    ...failure.extras.headers,
    'Content-Length': String(Buffer.byteLength(body)),
  })
  res.end(body)
  return failure
}
