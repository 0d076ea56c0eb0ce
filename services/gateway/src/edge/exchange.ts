/** State of one HTTP request in the edge, from its headers to the response. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AnyOperation, Caller, Route } from '@murmuration/contracts/kit'
import type { RateLimitBucket } from '@murmuration/contracts/rate-limits'
import type { RouteHeaders } from './response/headers.js'

/** Properties of a route that are computed once, when the router is created. */
export interface Served {
  readonly operation: AnyOperation
  readonly route: Route
  readonly headers: RouteHeaders
  readonly buckets: { readonly plain: readonly RateLimitBucket[]; readonly paging: readonly RateLimitBucket[] }
}

export interface Exchange extends Served {
  readonly req: IncomingMessage
  readonly res: ServerResponse
  readonly requestId: string
  readonly method: string
  /** Path of the request without its query, as received. */
  readonly path: string
  /** Query string without the question mark. */
  readonly query: string
  /** Parameters in the path of the request, decoded. */
  readonly params: Readonly<Record<string, string | undefined>>
  /** Start of the request, in milliseconds of `performance.now()`. */
  readonly startedAt: number
  readonly ip: string
  caller: Caller
  /** Releases the concurrency slot of the request. Further calls do nothing. */
  releaseSlot: () => void
  /** `X-RateLimit-*` headers for the response; null if the request was not counted. */
  limits: Readonly<Record<string, string>> | null
}
