/** IP address of the client of a request: that of the TCP connection, or the one that trusted proxies state (D033). */
import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'

/** Entries of a comma-separated header. Each proxy adds one entry at the end. */
export const placesOf = (header: string | string[] | undefined): string[] =>
  String(header ?? '')
    .split(',')
    .map((one) => one.trim())
    .filter(Boolean)

/** Removes the port that some proxies add: `192.0.2.1:4711`, `[2001:db8::1]:4711`. */
const bare = (hop: string): string =>
  hop
    .replace(/^\[([^\]]*)\](:\d+)?$/, '$1')
    .replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, '$1')
    .replace(/^::ffff:(?=\d+\.)/i, '')

/**
 * IP address of the client of a request. Each proxy adds the address of its peer at the end of the header. So with
 * `trusted` proxies, the client's entry is the one at that position from the right. The client itself may have written
 * entries before that one, and they are ignored.
 */
export const addressOf = (req: IncomingMessage, trusted: number): string => {
  const peer = bare(req.socket.remoteAddress ?? '')
  if (trusted === 0) return peer
  const forwarded = bare(placesOf(req.headers['x-forwarded-for']).at(-trusted) ?? '')
  return isIP(forwarded) ? forwarded : peer
}
