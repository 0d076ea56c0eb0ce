/** Cookies of our pages: bound to this host where the browser allows it, out of reach of scripts (D012). */
import { randomBytes } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'

const YEAR_S = 31_536_000
const MAX_HEADER = 8_192

export interface Cookies {
  /** Value of a cookie as the browser sent it, unchecked; null when there is none. */
  read(req: IncomingMessage, name: CookieName): string | null
  /** Kept for `seconds`, a year when nothing is said. */
  write(res: ServerResponse, name: CookieName, value: string, seconds?: number): void
  clear(res: ServerResponse, name: CookieName): void
}
/**
 * `session` says who is signed in; `visitor` proves that a form is ours, before and after that; `told` is a sentence for
 * the next page; `step` is a sign-in that is not over.
 */
export type CookieName = 'session' | 'visitor' | 'told' | 'step'

const all = (req: IncomingMessage): Map<string, string> => {
  const found = new Map<string, string>()
  for (const pair of (req.headers.cookie ?? '').slice(0, MAX_HEADER).split(';')) {
    const at = pair.indexOf('=')
    const name = pair.slice(0, at).trim()
    // The first of several is that of the longest path; ours all have the same, so a second one is not ours.
    if (at > 0 && !found.has(name)) found.set(name, pair.slice(at + 1).trim())
  }
  return found
}

/** Without https there is no `__Host-`: browsers would drop the cookie. */
export const createCookies = (https: boolean): Cookies => {
  const nameOf = (name: CookieName) => `${https ? '__Host-' : ''}murmuration_${name}`
  const attributes = `Path=/; HttpOnly; SameSite=Lax${https ? '; Secure' : ''}`
  return {
    read: (req, name) => all(req).get(nameOf(name)) || null,
    write: (res, name, value, seconds = YEAR_S) => {
      res.appendHeader('Set-Cookie', `${nameOf(name)}=${value}; ${attributes}; Max-Age=${seconds}`)
    },
    clear: (res, name) => {
      res.appendHeader('Set-Cookie', `${nameOf(name)}=; ${attributes}; Max-Age=0`)
    },
  }
}

export const newSecret = (): string => randomBytes(24).toString('base64url')
