/** Where a request comes from and which host it asks for: the peer, or what the trusted proxies in front say (D033). */
import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'

const listed = (header: string | string[] | undefined): string[] =>
  String(header ?? '')
    .split(',')
    .map((one) => one.trim())
    .filter(Boolean)

/** Some proxies add the port: `192.0.2.1:4711`, `[2001:db8::1]:4711`. */
const bare = (hop: string): string =>
  hop
    .replace(/^\[([^\]]*)\](:\d+)?$/, '$1')
    .replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, '$1')
    .replace(/^::ffff:(?=\d+\.)/i, '')

/**
 * The client's address. Every proxy adds the address it saw at the right end, so with `trusted` proxies the client is
 * that many places from the right; what stands further left was written by the client itself and is not believed.
 */
export const addressOf = (req: IncomingMessage, trusted: number): string => {
  const peer = bare(req.socket.remoteAddress ?? '')
  if (trusted === 0) return peer
  const told = bare(listed(req.headers['x-forwarded-for']).at(-trusted) ?? '')
  return isIP(told) ? told : peer
}

/** The host name that was asked for, without port; empty when the request names none. */
export const hostOf = (req: IncomingMessage, trusted: number): string => {
  const forwarded = trusted > 0 ? listed(req.headers['x-forwarded-host']) : []
  const host = forwarded.at(-trusted) ?? forwarded[0] ?? req.headers.host ?? ''
  return nameOf(host)
}

/** A host header or configured domain as a name to compare: lower case, no port, no dot at the end. */
export const nameOf = (host: string): string => host.toLowerCase().replace(/:\d+$/, '').replace(/\.$/, '')
