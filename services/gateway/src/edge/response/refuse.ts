/** Writes an error response in the JSON format of the API, in the language of the caller. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { asFailure, type Caller, type Failure, meaningOf, phrasesOf } from '@murmuration/contracts/kit'
import { failureBody, type Log } from '@murmuration/kernel'
import { inLanguage, languageOfCaller } from './error-language.js'
import { type HeaderList, withHeaders } from './headers.js'

/**
 * Milliseconds for which the remaining body of a refused request is read. Otherwise many clients, which still send the
 * body, would lose the response.
 */
const DISCARD_MS = 2_000

/** Discards the remaining body of a refused request. Closes the connection if the body does not end within DISCARD_MS. */
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
  { req, res, caller = null }: { req: IncomingMessage; res: ServerResponse; caller?: Caller | null },
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
  const { extras } = failure
  const own = { ...extras.headers }
  const body = inLanguage(languageOfCaller(req, caller), Buffer.from(failureBody(failure, requestId)), {
    phrases: phrasesOf(failure),
    own,
  })
  res.writeHead(
    failure.status,
    withHeaders(headers, {
      'X-Request-Id': requestId,
      ...(extras.retryAfter ? { 'Retry-After': String(Math.ceil(extras.retryAfter)) } : {}),
      ...own,
      ...body.headers,
      'Content-Length': String(body.bytes.length),
    }),
  )
  res.end(req.method === 'HEAD' ? undefined : body.bytes)
  discardBody(req)
  return failure
}
