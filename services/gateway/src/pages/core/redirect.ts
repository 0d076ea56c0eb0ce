/** Redirects of browsers. Redirects have no body, so that no part of the URL becomes markup (A190). */
import type { ServerResponse } from 'node:http'

/** Encodes a URL as a header value. Control characters are removed, and other characters outside ASCII are percent-encoded. */
const asHeader = (address: string): string =>
  address.replace(/[\x00-\x1f\x7f]/g, '').replace(/[^\x21-\x7e]+/g, (text) => encodeURIComponent(text.toWellFormed()))

export const redirect = (res: ServerResponse, address: string, status: 301 | 302 | 303 = 302): void => {
  res.statusCode = status
  res.setHeader('Location', asHeader(address))
  if (!res.hasHeader('Cache-Control')) res.setHeader('Cache-Control', 'private, no-store')
  res.setHeader('Content-Length', '0')
  res.end()
}

/** Returns the path of an address if it is on this server, else `/`. Therefore a sign-in never redirects to another host (A094). */
export const ownPath = (given: unknown): string => {
  if (typeof given !== 'string' || !/^\/(?![/\\])/.test(given) || /[\x00-\x20\x7f]|^[^?#]*\\/.test(given)) return '/'
  const url = URL.parse(given, 'http://here.invalid')
  return url?.origin === 'http://here.invalid' && !url.pathname.startsWith('//') ? given : '/'
}

/** Path to which a user is redirected after sign-in: the home timeline if the user requested no other page. */
export const landingPath = (next: string): string => (next === '/' ? '/home' : next)
