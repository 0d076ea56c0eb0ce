/** Ids of the outside world: what may be one, whose host it is on, and when two share an origin. */

declare const claimed: unique symbol

/**
 * An http(s) address that a remote document named, byte for byte. It is only a claim: before it becomes a key of ours,
 * `domain/authority.ts` must have proved that it comes from its own origin.
 */
export type Uri = string & { readonly [claimed]: true }

/** The longest id that is taken. */
export const longestUri = 2048

/** The one form of the public collection that is stored and sent. */
export const publicCollection = 'https://www.w3.org/ns/activitystreams#Public' as Uri

const publicSpellings: ReadonlySet<unknown> = new Set([publicCollection, 'as:Public', 'Public'])

/** True for each of the three forms of the public collection. */
export const isPublic = (value: unknown): boolean => publicSpellings.has(value)

// White space and backslashes are read differently by different parsers, so no address may hold them.
const plainHttp = /^https?:\/\/[^\u0000-\u0020\\\u007f/][^\u0000-\u0020\\\u007f]*$/i

/** The value as an id: http(s), a host, no user info, no trailing dot, at most 2,048 characters; else null. */
export const readUri = (value: unknown): Uri | null => {
  if (typeof value !== 'string' || value.length > longestUri || !plainHttp.test(value)) return null
  const url = URL.parse(value)
  if (url === null || url.username !== '' || url.password !== '' || url.hostname === '') return null
  return url.hostname.endsWith('.') ? null : (value as Uri)
}

/**
 * An address that is only fetched, such as that of a picture: normalised as the URL standard does it, so that spaces and
 * other letters are encoded. Such an address is never compared with an id.
 */
export const readFetched = (value: unknown): Uri | null => {
  if (typeof value !== 'string' || value.length > longestUri) return null
  const sound = readUri(value)
  if (sound !== null) return sound
  return /^\s*https?:\/\/[^/]/i.test(value) ? readUri(URL.parse(value)?.href) : null
}

/** Host and port (unless it is the scheme's own) in lower-case ASCII; null for what is no http(s) address. */
export const hostOf = (uri: string): string | null => (readUri(uri) === null ? null : new URL(uri).host)

/** Scheme, host and port in one comparable text; null for what is no http(s) address. */
export const originOf = (uri: string): string | null => (readUri(uri) === null ? null : new URL(uri).origin)

/** True when both are addresses with equal scheme, host and port. */
export const sameOrigin = (a: string, b: string): boolean => {
  const origin = originOf(a)
  return origin !== null && origin === originOf(b)
}

/** The address without its fragment: what can be fetched. */
export const withoutFragment = (uri: Uri): Uri => uri.split('#', 1)[0] as Uri

/** A bare domain name as it is compared and stored (ASCII, lower case, no trailing dot), or null when it is none. */
export const readDomain = (value: unknown): string | null => {
  if (typeof value !== 'string' || value.length > 260 || !/^[^\s\u0000-\u001f/?#@\\:[\]]+(?::\d{1,5})?$/.test(value))
    return null
  const url = URL.parse(`https://${value}`)
  const host = url?.host.replace(/\.(?=$|:)/, '') ?? ''
  return /^[a-z0-9-]+(?:\.[a-z0-9-]+)*(?::\d+)?$/.test(host) ? host : null
}
