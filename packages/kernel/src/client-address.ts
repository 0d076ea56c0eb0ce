/** Client address of a request: the peer, or the address stated by trusted proxies (D033). */
import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'

/** Entries of a comma-separated header to which each proxy appends. */
export const placesOf = (header: string | string[] | undefined): string[] =>
  String(header ?? '')
    .split(',')
    .map((one) => one.trim())
    .filter(Boolean)

/** Removes a port, which some proxies append: `192.0.2.1:4711`, `[2001:db8::1]:4711`. */
const bare = (hop: string): string =>
  hop
    .replace(/^\[([^\]]*)\](:\d+)?$/, '$1')
    .replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, '$1')
    .replace(/^::ffff:(?=\d+\.)/i, '')

/**
 * Client address of a request. Every proxy appends the address that it saw, so with `trusted` proxies the client is
 * at that position from the right. Entries further left were written by the client and are ignored.
 */
export const addressOf = (req: IncomingMessage, trusted: number): string => {
  const peer = bare(req.socket.remoteAddress ?? '')
  if (trusted === 0) return peer
  const forwarded = bare(placesOf(req.headers['x-forwarded-for']).at(-trusted) ?? '')
  return isIP(forwarded) ? forwarded : peer
}
