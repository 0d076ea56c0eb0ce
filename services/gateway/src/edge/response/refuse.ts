/** Writes an error response in the JSON format of the API. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { asFailure, type Failure, meaningOf } from '@murmuration/contracts/kit'
import { failureBody, type Log } from '@murmuration/kernel'
import { type HeaderList, withHeaders } from './headers.js'

/** Time for which the rest of a refused body is read. Many clients lose a response that arrives while they still send. */
const DISCARD_MS = 2_000

/** Discards the rest of the body, and closes the connection if the body does not end in time. */
const discardBody = (req: IncomingMessage): void => {
  if (req.complete) return
  const timer = setTimeout(() => {
    if (!req.complete) req.socket.destroy()
  }, DISCARD_MS)
  req.once('end', () => clearTimeout(timer))
  req.resume()
}

/** Writes the error response, or closes the connection if headers were already sent. Returns the failure. */
export const refuse = (
  { req, res }: { req: IncomingMessage; res: ServerResponse },
  thrown: unknown,
  { requestId, headers, log }: { requestId: string; headers: HeaderList; log: Log },
): Failure => {
  const failure = asFailure(thrown)
  const level = meaningOf(failure.code).log
  if (level !== 'quiet') log[level]({ requestId, error: failure.extras.cause ?? failure }, 'request failed')
  if (res.headersSent || res.destroyed) {
    res.destroy()
    return failure
  }
  const body = failureBody(failure, requestId)
  res.writeHead(
    failure.status,
    withHeaders(headers, {
      'X-Request-Id': requestId,
      ...(failure.extras.retryAfter ? { 'Retry-After': String(Math.ceil(failure.extras.retryAfter)) } : {}),
      ...failure.extras.headers,
      'Content-Length': String(Buffer.byteLength(body)),
    }),
  )
  res.end(req.method === 'HEAD' ? undefined : body)
  discardBody(req)
  return failure
}
