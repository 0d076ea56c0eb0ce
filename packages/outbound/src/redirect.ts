/** Whether an answer sends us elsewhere, and with which headers we go there. */

import { OutboundError } from './errors.js'

const redirectStatuses: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])

/** Headers made for one exact request or one host; a redirect must not carry them on. */
const boundToOneRequest: ReadonlySet<string> = new Set([
  'authorization',
  'proxy-authorization',
  'cookie',
  'host',
  'date',
  'digest',
  'content-digest',
  'signature',
  'signature-input',
  'x-api-key',
])

/** True when this answer to this method is a redirect that a client may follow. POST and others never are. */
export function isRedirect(method: string, status: number, headers: Record<string, string>): boolean {
  return (method === 'GET' || method === 'HEAD') && redirectStatuses.has(status) && headers.location !== undefined
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** The bytes of a header, which were read one letter each, as UTF-8 where they are; spaces encoded, as browsers do it. */
const readLocation = (stated: string): string => {
  const encoded = stated.replaceAll(' ', '%20')
  if (!/^[\u0000-\u00ff]*[\u0080-\u00ff][\u0000-\u00ff]*$/.test(encoded)) return encoded
  try {
    return utf8.decode(Buffer.from(encoded, 'latin1'))
  } catch {
    return encoded
  }
}

/**
 * The absolute text of the next URL; it still has to pass `guardUrl` like any other. Throws `redirect` for a step
 * from https to http, for a URL already visited, and when no hop is left.
 * @param stated the address as the header has it
 */
export function redirectTarget(from: URL, stated: string, visited: ReadonlySet<string>, left: number): string {
  if (left <= 0) throw new OutboundError('redirect', 'too many redirects')
  const location = readLocation(stated)
  // Resolving would drop tabs and line breaks and read backslashes as slashes, so they are refused before it.
  if (/[\u0000-\u0020\\]/.test(location) || !URL.canParse(location, from.href)) {
    throw new OutboundError('redirect', 'the redirect leads to something that is no URL')
  }
  const target = new URL(location, from)
  if (from.protocol === 'https:' && target.protocol === 'http:') {
    throw new OutboundError('redirect', 'a redirect from https to http')
  }
  target.hash = ''
  if (visited.has(target.href)) throw new OutboundError('redirect', 'a redirect in a circle')
  return target.href
}

/** The caller's headers without those that were made for the first request. */
export function headersForNextHop(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !boundToOneRequest.has(name.toLowerCase())))
}
