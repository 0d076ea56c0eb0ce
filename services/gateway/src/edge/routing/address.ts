/** The requested host, from the headers of trusted proxies or of the request (D033). */
import type { IncomingMessage } from 'node:http'
import { placesOf } from '@murmuration/kernel'

/** The requested host name without port; empty without a Host header. `trusted`: number of trusted proxies in front of this server. */
export const hostOf = (req: IncomingMessage, trusted: number): string => {
  const forwarded = trusted > 0 ? placesOf(req.headers['x-forwarded-host']) : []
  const host = forwarded.at(-trusted) ?? forwarded[0] ?? req.headers.host ?? ''
  return nameOf(host)
}

/** Normalizes a host header or configured domain: lower case, without port and final dot. */
export const nameOf = (host: string): string => host.toLowerCase().replace(/:\d+$/, '').replace(/\.$/, '')
