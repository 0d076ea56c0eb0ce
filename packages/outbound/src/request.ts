/** Requests to the outbound client and their validation before any connection. */

import type { Readable } from 'node:stream'
import { OutboundError } from './errors.js'

/** One request. Sizes are in bytes, times in milliseconds. */
export type OutboundRequest = {
  method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'DELETE'
  url: string | URL
  /** Names in any case. `host` may be given (signatures cover it) but must be the URL's. */
  headers?: Record<string, string>
  body?: Buffer | string
  /** Most bytes of the body, on the wire and after decompression. */
  maxBytes: number
  /** For everything together: queue, names, connection, redirects, body. At most 10 minutes. */
  timeoutMs: number
  /** How many redirects of a GET or HEAD to follow, 0 to 3; other methods never follow. Default 0. */
  redirects?: 0 | 1 | 2 | 3
  signal?: AbortSignal
  /** Headers for the next hop, such as a new signature; those that only fit the first request are gone by then. */
  onRedirect?: (url: URL) => Record<string, string> | Promise<Record<string, string>>
  /** The `accept` header. */
  accept?: string
}

/** A whole response. */
export type OutboundResponse = {
  status: number
  /** Lower-case names; repeated fields joined with a comma. As sent, so `content-encoding` may still stand there. */
  headers: Record<string, string>
  /** Decompressed. */
  body: Buffer
  /** The URL that answered, without fragment. */
  url: string
}

/** A response whose body is read piece by piece; read it to its end or destroy it. */
export type OutboundStream = Omit<OutboundResponse, 'body'> & { body: Readable }

const longestMs = 600_000

/** Throws `OutboundError` (`protocol`, not retryable) that names the field when the request makes no sense. */
export function checkRequest(request: OutboundRequest): void {
  const wrong = (text: string) => new OutboundError('protocol', text, { retryable: false })
  if (!Number.isSafeInteger(request.maxBytes) || request.maxBytes < 0) throw wrong('maxBytes must be a whole number')
  if (!(request.timeoutMs > 0 && request.timeoutMs <= longestMs)) throw wrong(`timeoutMs must be 1 to ${longestMs}`)
  if (![undefined, 0, 1, 2, 3].includes(request.redirects)) throw wrong('redirects must be 0 to 3')
}

/** Lower-case header names, our own fields added, `host` checked against the URL and left to the client. */
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
