/** Cookies of the pages: HttpOnly, SameSite=Lax, and with the `__Host-` prefix under https (D012). */
import { randomBytes } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'

const YEAR_S = 31_536_000
/** Maximum length of a Cookie header that is parsed, in characters. */
const MAX_HEADER = 8_192

export interface Cookies {
  /** Returns the value of a cookie, which is not validated; null without the cookie. */
  read(req: IncomingMessage, name: CookieName): string | null
  /** Sets a cookie that expires after `seconds`; a year by default. */
  write(res: ServerResponse, name: CookieName, value: string, seconds?: number): void
  clear(res: ServerResponse, name: CookieName): void
}
/**
 * `session`: session token. `visitor`: random value to which CSRF tokens are bound. `flash`: flash message for the next page.
 * `step`: token of a sign-in that needs another step.
 */
export type CookieName = 'session' | 'visitor' | 'flash' | 'step'

const cookiesOf = (req: IncomingMessage): Map<string, string> => {
  const found = new Map<string, string>()
  for (const pair of (req.headers.cookie ?? '').slice(0, MAX_HEADER).split(';')) {
    const at = pair.indexOf('=')
    const name = pair.slice(0, at).trim()
    // If a cookie name is repeated, the first value counts: browsers send cookies with longer paths first (RFC 6265,
    // section 5.4).
    if (at > 0 && !found.has(name)) found.set(name, pair.slice(at + 1).trim())
  }
  return found
}

/** Name of a cookie in browsers. Processes of earlier releases know the flash message as `told`. */
const storedName = (name: CookieName): string => (name === 'flash' ? 'told' : name)

/** Without https the cookies have no `__Host-` prefix, because browsers would drop them. */
export const createCookies = (https: boolean): Cookies => {
  const nameOf = (name: CookieName) => `${https ? '__Host-' : ''}murmuration_${storedName(name)}`
  const attributes = `Path=/; HttpOnly; SameSite=Lax${https ? '; Secure' : ''}`
  return {
    read: (req, name) => cookiesOf(req).get(nameOf(name)) || null,
    write: (res, name, value, seconds = YEAR_S) => {
      res.appendHeader('Set-Cookie', `${nameOf(name)}=${value}; ${attributes}; Max-Age=${seconds}`)
    },
    clear: (res, name) => {
      res.appendHeader('Set-Cookie', `${nameOf(name)}=; ${attributes}; Max-Age=0`)
    },
  }
}

/** Returns a new secret: 24 random bytes as 32 characters of base64url. */
export const newSecret = (): string => randomBytes(24).toString('base64url')
