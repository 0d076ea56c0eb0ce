/** Redirects: detection, target URL, and headers of the next hop. */

import { OutboundError } from './errors.js'

const redirectStatuses: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])

/** Headers that are valid for one request or one host only. The request after a redirect does not repeat them. */
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

/** True for a redirect that a client may follow: GET and HEAD only. */
export function isRedirect(method: string, status: number, headers: Record<string, string>): boolean {
  return (method === 'GET' || method === 'HEAD') && redirectStatuses.has(status) && headers.location !== undefined
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** Decodes the bytes of a Location header as UTF-8 if valid. Spaces are encoded, as browsers do. */
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
 * Absolute URL of the next hop, not yet checked by `guardUrl`. Throws `redirect` for a step
 * from https to http, for a URL already visited, and when no hop is left.
 * @param stated value of the Location header
 */
export function redirectTarget(from: URL, stated: string, visited: ReadonlySet<string>, left: number): string {
  if (left <= 0) throw new OutboundError('redirect', 'too many redirects')
  const location = readLocation(stated)
  // The text is checked before its resolution, which would drop tabs and line breaks and treat backslashes as slashes.
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

/** Headers of the caller without those bound to the first request. */
export function headersForNextHop(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !boundToOneRequest.has(name.toLowerCase())))
}
