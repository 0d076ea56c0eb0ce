/** Where a request comes from: the peer, or what the trusted proxies in front say (D033). */
import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'

/** The places of a header that each proxy adds to at the right end. */
export const placesOf = (header: string | string[] | undefined): string[] =>
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
  const told = bare(placesOf(req.headers['x-forwarded-for']).at(-trusted) ?? '')
  return isIP(told) ? told : peer
}
