/** Follows the redirects of a request. Each redirect hop is a new request with all checks. */

import type { Hop } from './exchange.js'
import type { Policy } from './policy.js'
import type { Received, ReceiveOptions } from './receive.js'
import { headersForNextHop, isRedirect, redirectTarget } from './redirect.js'
import { refusalOf } from './refusal.js'
import { type OutboundRequest, prepareHeaders } from './request.js'
import { guardUrl } from './url.js'

/** Sends one hop and resolves with its response. */
export type Send<Body> = (hop: Hop, options: ReceiveOptions) => Promise<Received<Body>>

/** Sends a request and follows its redirects. Returns the final response and its URL. The request may override `defaults`. */
export async function follow<Body>(
  policy: Pick<Policy, 'url' | 'onRefused'>,
  request: OutboundRequest,
  defaults: Record<string, string>,
  send: Send<Body>,
): Promise<Received<Body> & { url: string }> {
  const { method, maxBytes, body, redirects = 0, skipsBody = false } = request
  const visited = new Set<string>()
  const follows = (status: number, headers: Record<string, string>): boolean =>
    redirects > 0 && isRedirect(method, status, headers)
  const skip: ReceiveOptions['skip'] = (status, headers) => skipsBody || follows(status, headers)

  const rethrow = (error: unknown, url: string | URL): never => {
    const refusal = refusalOf(error, url)
    if (refusal) policy.onRefused(refusal)
    throw error
  }
  const guard = (url: string | URL): URL => {
    try {
      return guardUrl(url, policy.url)
    } catch (error) {
      return rethrow(error, url)
    }
  }

  const step = async (url: URL, given: Record<string, string>): Promise<Received<Body> & { url: string }> => {
    visited.add(url.href)
    const hop: Hop = { method, url, headers: prepareHeaders(url, given, defaults), body }
    const received = await send(hop, { method, maxBytes, skip }).catch((error) => rethrow(error, url))
    if (!follows(received.status, received.headers)) return { ...received, url: url.href }
    const left = redirects + 1 - visited.size
    const next = guard(redirectTarget(url, received.headers.location!, visited, left))
    const added = request.onRedirect ? await request.onRedirect(next) : {}
    return step(next, { ...headersForNextHop(given), ...added })
  }
  return step(guard(request.url), request.headers ?? {})
}
