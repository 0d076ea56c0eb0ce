/** Walks one request through its redirects; each hop is a new request with the whole guard. */

import type { Hop } from './exchange.js'
import type { Received, ReceiveOptions } from './receive.js'
import { headersForNextHop, isRedirect, redirectTarget } from './redirect.js'
import { type OutboundRequest, prepareHeaders } from './request.js'
import { guardUrl, type UrlPolicy } from './url.js'

/** Does one hop and resolves with what came back. */
export type Send<Body> = (hop: Hop, options: ReceiveOptions) => Promise<Received<Body>>

/** The answer at the end of the way and the URL that gave it. `defaults` are headers the caller may override. */
export async function follow<Body>(
  policy: UrlPolicy,
  asked: OutboundRequest,
  defaults: Record<string, string>,
  send: Send<Body>,
): Promise<Received<Body> & { url: string }> {
  const { method, maxBytes, body, redirects = 0 } = asked
  const visited = new Set<string>()
  const skip: ReceiveOptions['skip'] = (status, headers) => redirects > 0 && isRedirect(method, status, headers)

  const step = async (url: URL, given: Record<string, string>): Promise<Received<Body> & { url: string }> => {
    visited.add(url.href)
    const hop: Hop = { method, url, headers: prepareHeaders(url, given, defaults), body }
    const received = await send(hop, { method, maxBytes, skip })
    if (!skip(received.status, received.headers)) return { ...received, url: url.href }
    const left = redirects + 1 - visited.size
    const next = guardUrl(redirectTarget(url, received.headers.location!, visited, left), policy)
    const added = asked.onRedirect ? await asked.onRedirect(next) : {}
    return step(next, { ...headersForNextHop(given), ...added })
  }
  return step(guardUrl(asked.url, policy), asked.headers ?? {})
}
