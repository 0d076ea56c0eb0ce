/** Cookies of a browser, with the rules that sign-in pages depend on (RFC 6265): domain, path, Secure, Max-Age and Expires. */

export interface Cookie {
  name: string
  value: string
  /** Host of the cookie. If `hostOnly` is true, the cookie is not sent to subdomains. */
  domain: string
  hostOnly: boolean
  path: string
  secure: boolean
  httpOnly: boolean
  sameSite: string
  /** Milliseconds since 1970. Undefined for a cookie that ends with the browser session. */
  expires: number | undefined
}

export interface CookieJar {
  /** Stores the cookies in the Set-Cookie headers of a response. */
  take(url: URL, headers: readonly string[]): void
  /** Value of the Cookie header for a request; empty if no cookie matches. */
  header(url: URL): string
  /** The first cookie with this name, of any domain. */
  find(name: string): Cookie | undefined
  clear(): void
}

/** Creates an empty cookie jar. */
export const cookieJar = (): CookieJar => {
  const cookies = new Map<string, Cookie>()
  return {
    take: (url, headers) => {
      for (const header of headers) {
        const cookie = readCookie(url, header)
        if (!cookie) continue
        const key = `${cookie.domain} ${cookie.path} ${cookie.name}`
        cookies.delete(key)
        if (!isOver(cookie)) cookies.set(key, cookie)
      }
    },
    header: (url) =>
      [...cookies.values()]
        .filter((cookie) => !isOver(cookie) && isFor(cookie, url))
        .sort((one, other) => other.path.length - one.path.length)
        .map(({ name, value }) => `${name}=${value}`)
        .join('; '),
    find: (name) => [...cookies.values()].find((cookie) => cookie.name === name),
    clear: () => cookies.clear(),
  }
}

const isOver = ({ expires }: Cookie): boolean => expires !== undefined && expires <= Date.now()

const isFor = (cookie: Cookie, url: URL): boolean => {
  const host = url.hostname
  const isHost = cookie.hostOnly ? host === cookie.domain : host === cookie.domain || host.endsWith(`.${cookie.domain}`)
  const below = cookie.path.endsWith('/') ? cookie.path : `${cookie.path}/`
  return isHost && (url.pathname === cookie.path || url.pathname.startsWith(below)) && (!cookie.secure || isSafe(url))
}

/** Browsers send Secure cookies over https, and to loopback. */
const isSafe = (url: URL): boolean => url.protocol === 'https:' || ['localhost', '127.0.0.1'].includes(url.hostname)

/** Parses a Set-Cookie header. Undefined for cookies that browsers refuse: no name, foreign domain, insecure page, wrong prefix. */
const readCookie = (url: URL, header: string): Cookie | undefined => {
  const [pair = '', ...rest] = header.split(';')
  const at = pair.indexOf('=')
  if (at < 1) return undefined
  const attributes = new Map(
    rest.map((part) => {
      const [name = '', ...value] = part.split('=')
      return [name.trim().toLowerCase(), value.join('=').trim()]
    }),
  )
  const given = attributes.get('domain')?.replace(/^\./, '').toLowerCase()
  if (given && url.hostname !== given && !url.hostname.endsWith(`.${given}`)) return undefined
  const path = attributes.get('path')
  const maxAge = attributes.get('max-age')
  const until = attributes.get('expires')
  const cookie: Cookie = {
    name: pair.slice(0, at).trim(),
    value: pair.slice(at + 1).trim(),
    domain: given || url.hostname,
    hostOnly: !given,
    path: path?.startsWith('/') ? path : url.pathname.slice(0, Math.max(url.pathname.lastIndexOf('/'), 1)),
    secure: attributes.has('secure'),
    httpOnly: attributes.has('httponly'),
    sameSite: attributes.get('samesite') ?? '',
    expires: maxAge ? Date.now() + Number(maxAge) * 1_000 : until ? Date.parse(until) : undefined,
  }
  if (cookie.secure && !isSafe(url)) return undefined
  const isHostOnly = cookie.secure && cookie.hostOnly && cookie.path === '/'
  if (cookie.name.startsWith('__Host-') && !isHostOnly) return undefined
  if (cookie.name.startsWith('__Secure-') && !cookie.secure) return undefined
  return cookie
}
