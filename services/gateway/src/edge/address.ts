/** Where a request comes from. */
import type { IncomingMessage } from 'node:http'

/** Client address: the peer, or what the trusted proxies in front say. */
export const addressOf = (req: IncomingMessage, trusted: number): string => {
  const peer = (req.socket.remoteAddress ?? '').replace(/^::ffff:/, '')
  if (trusted === 0) return peer
  const hops = String(req.headers['x-forwarded-for'] ?? '')
    .split(',')
    .map((one) => one.trim())
    .filter(Boolean)
  return hops.at(-trusted) ?? hops[0] ?? peer
}
