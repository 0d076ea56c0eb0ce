/** Requests to the outbound client and their validation before any connection. */

import type { Readable } from 'node:stream'
import { OutboundError } from './errors.js'

/** One request. Sizes are in bytes, times in milliseconds. */
export type OutboundRequest = {
  method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'DELETE'
  url: string | URL
  /** Header names in any case. `host` is allowed because signatures cover it, but must equal the host of the URL. */
  headers?: Record<string, string>
  body?: Buffer | string
  /** Maximum bytes of the body, on the wire and after decompression. */
  maxBytes: number
  /** True if only the status and the headers are needed. The body is then empty, and is not waited for. */
  skipsBody?: boolean
  /** Time limit of everything together: queue, names, connection, redirects, body. At most 10 minutes. */
  timeoutMs: number
  /** Maximum redirects of a GET or HEAD, 0 to 3; default 0. Requests with other methods follow no redirects. */
  redirects?: 0 | 1 | 2 | 3
  signal?: AbortSignal
  /**
   * Returns headers for the next hop, such as a new signature. Headers that are bound to the first request were removed
   * already.
   */
  onRedirect?: (url: URL) => Record<string, string> | Promise<Record<string, string>>
  /** Value of the `Accept` header. */
  accept?: string
}

/** A response whose body was read completely. */
export type OutboundResponse = {
  status: number
  /**
   * Header fields by lower-case name; repeated fields are joined with a comma. The fields are unchanged, so
   * `content-encoding` may be present although `body` is decoded.
   */
  headers: Record<string, string>
  /** Decompressed body of the response. */
  body: Buffer
  /** URL that returned the response, after redirects, without fragment. */
  url: string
}

/** A response with a streamed body. The caller reads the body to its end or destroys it. */
export type OutboundStream = Omit<OutboundResponse, 'body'> & { body: Readable }

const longestMs = 600_000

/** Throws `OutboundError` (`protocol`, not retryable) with the name of an invalid field. */
export function checkRequest(request: OutboundRequest): void {
  const wrong = (text: string) => new OutboundError('protocol', text, { retryable: false })
  if (!Number.isSafeInteger(request.maxBytes) || request.maxBytes < 0) throw wrong('maxBytes must be a whole number')
  if (!(request.timeoutMs > 0 && request.timeoutMs <= longestMs)) throw wrong(`timeoutMs must be 1 to ${longestMs}`)
  if (![undefined, 0, 1, 2, 3].includes(request.redirects)) throw wrong('redirects must be 0 to 3')
}

/** Lower-case headers with the default fields. `host` is checked against the URL and left to the client. */
export function prepareHeaders(
  url: URL,
  given: Record<string, string>,
  defaults: Record<string, string>,
): Record<string, string> {
  const headers: Record<string, string> = { ...defaults }
  for (const name of Object.keys(given)) headers[name.toLowerCase()] = given[name]!
  if (headers.host !== undefined) {
    if (headers.host.toLowerCase() !== url.host) {
      throw new OutboundError('protocol', 'the host header must be the host of the URL', { retryable: false })
    }
    delete headers.host
  }
  return headers
}
