/** Any failure becomes the public error shape here, in one place; always JSON. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { asFailure, type Failure, meaningOf } from '@murmuration/contracts/kit'
import { failureBody, type Log } from '@murmuration/kernel'
import { type HeaderList, withHeaders } from './headers.js'

/** Seconds that a refused request may go on sending; an answer that came while the other side still talks is lost to many. */
const LINGER_MS = 2_000

/** Closes the connection of a refused request soon, even if its body has not been read to the end. */
const stopReading = (req: IncomingMessage): void => {
  if (req.complete) return
  const timer = setTimeout(() => {
    if (!req.complete) req.socket.destroy()
  }, LINGER_MS)
  req.once('end', () => clearTimeout(timer))
  req.resume()
}

/** Writes a refusal, if nothing was written yet; says what it was. */
export const refuse = (
  { req, res }: { req: IncomingMessage; res: ServerResponse },
  thrown: unknown,
  { requestId, headers, log }: { requestId: string; headers: HeaderList; log: Log },
): Failure => {
  const failure = asFailure(thrown)
  const loud = meaningOf(failure.code).log
  if (loud !== 'quiet') log[loud]({ requestId, error: failure.extras.cause ?? failure }, 'request failed')
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
  stopReading(req)
  return failure
}
