/** Which host a request asks for: what it names, or what the trusted proxies in front say (D033). */
import type { IncomingMessage } from 'node:http'
import { placesOf } from '@murmuration/kernel'

/** The host name that was asked for, without port; empty when the request names none. */
export const hostOf = (req: IncomingMessage, trusted: number): string => {
  const forwarded = trusted > 0 ? placesOf(req.headers['x-forwarded-host']) : []
  const host = forwarded.at(-trusted) ?? forwarded[0] ?? req.headers.host ?? ''
  return nameOf(host)
}

/** A host header or configured domain as a name to compare: lower case, no port, no dot at the end. */
export const nameOf = (host: string): string => host.toLowerCase().replace(/:\d+$/, '').replace(/\.$/, '')
