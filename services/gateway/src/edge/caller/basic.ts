/** Reads client credentials from an HTTP Basic header (RFC 6749 section 2.3.1). */
import type { IncomingMessage } from 'node:http'

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return text
  }
}

/** Decoded client credentials of an HTTP Basic header; empty without a valid header. */
export const basicCredentials = (req: IncomingMessage): { client_id?: string; client_secret?: string } => {
  const match = /^Basic +([\w+/=-]+)$/i.exec(req.headers.authorization ?? '')
  if (!match) return {}
  const pair = Buffer.from(match[1] ?? '', 'base64').toString('utf8')
  const at = pair.indexOf(':')
  return at < 0 ? {} : { client_id: decoded(pair.slice(0, at)), client_secret: decoded(pair.slice(at + 1)) }
}
