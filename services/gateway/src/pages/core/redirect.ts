/** Sending browsers elsewhere: no body, so that nothing of the address is ever markup (A190). */
import type { ServerResponse } from 'node:http'

/** Addresses in headers are ASCII; anything else in them is encoded, and control characters go. */
const asHeader = (address: string): string =>
  address.replace(/[\x00-\x1f\x7f]/g, '').replace(/[^\x21-\x7e]+/g, (text) => encodeURIComponent(text.toWellFormed()))

export const redirect = (res: ServerResponse, address: string, status: 301 | 302 | 303 = 302): void => {
  res.statusCode = status
  res.setHeader('Location', asHeader(address))
  if (!res.hasHeader('Cache-Control')) res.setHeader('Cache-Control', 'private, no-store')
  res.setHeader('Content-Length', '0')
  res.end()
}

/** Only paths of our own: nobody is sent to another host after signing in (A094). */
export const ownPath = (given: unknown): string => {
  if (typeof given !== 'string' || !/^\/(?![/\\])/.test(given) || /[\x00-\x20\x7f]|^[^?#]*\\/.test(given)) return '/'
  const url = URL.parse(given, 'http://here.invalid')
  return url?.origin === 'http://here.invalid' && !url.pathname.startsWith('//') ? given : '/'
}

/** The path after signing in: the home timeline when no other page was asked for. */
export const landingPath = (next: string): string => (next === '/' ? '/home' : next)
