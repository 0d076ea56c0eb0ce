/** Parses ids (URIs) in remote documents, with their hosts and origins. */

declare const claimed: unique symbol

/**
 * A valid http(s) address in a remote document: unchanged from `readUri`, possibly normalised from `readFetched`.
 * Before an address may be a key in a store, its origin must be proved: see `TrustedUri` in
 * `services/federation/src/core/activity/authority.rules.ts`.
 */
export type Uri = string & { readonly [claimed]: true }

/** Maximum number of characters of an id; a longer id is refused. */
export const longestUri = 2048

/** The form of the public collection's URI that is stored and sent. */
export const publicCollection = 'https://www.w3.org/ns/activitystreams#Public' as Uri

const publicSpellings: ReadonlySet<unknown> = new Set([publicCollection, 'as:Public', 'Public'])

/** True for each of the three forms of the public collection's URI. */
export const isPublic = (value: unknown): boolean => publicSpellings.has(value)

// URL parsers disagree about white space and backslashes, so addresses with these are refused.
const plainHttp = /^https?:\/\/[^\u0000-\u0020\\\u007f/][^\u0000-\u0020\\\u007f]*$/i

/**
 * Checks an id: http(s) with a host, no user info, no trailing dot, at most `longestUri` characters. Returns null for
 * any other value.
 */
export const readUri = (value: unknown): Uri | null => {
  if (typeof value !== 'string' || value.length > longestUri || !plainHttp.test(value)) return null
  const url = URL.parse(value)
  if (url === null || url.username !== '' || url.password !== '' || url.hostname === '') return null
  return url.hostname.endsWith('.') ? null : (value as Uri)
}

/**
 * An address that is only fetched, such as of an image; null for other values. The address is normalised by the URL
 * standard, which encodes spaces and non-ASCII characters, so it must not be compared with an id.
 */
export const readFetched = (value: unknown): Uri | null => {
  if (typeof value !== 'string' || value.length > longestUri) return null
  const sound = readUri(value)
  if (sound !== null) return sound
  return /^\s*https?:\/\/[^/]/i.test(value) ? readUri(URL.parse(value)?.href) : null
}

/** Host, with the port unless it is the default, in lower-case ASCII; null if `uri` is not a valid id. */
export const hostOf = (uri: string): string | null => (readUri(uri) === null ? null : new URL(uri).host)

/** Origin (scheme, host and port) as text; null if `uri` is not a valid id. */
export const originOf = (uri: string): string | null => (readUri(uri) === null ? null : new URL(uri).origin)

/** True if both texts are valid ids with the same scheme, host and port. */
export const sameOrigin = (a: string, b: string): boolean => {
  const origin = originOf(a)
  return origin !== null && origin === originOf(b)
}

/** The address without its fragment, as it is requested. */
export const withoutFragment = (uri: Uri): Uri => uri.split('#', 1)[0] as Uri

/**
 * A domain name, optionally with a port, normalised: ASCII, lower case, no trailing dot. Returns null if the value is
 * no domain name.
 */
export const readDomain = (value: unknown): string | null => {
  if (typeof value !== 'string' || value.length > 260 || !/^[^\s\u0000-\u001f/?#@\\:[\]]+(?::\d{1,5})?$/.test(value))
    return null
  const url = URL.parse(`https://${value}`)
  const host = url?.host.replace(/\.(?=$|:)/, '') ?? ''
  return /^[a-z0-9-]+(?:\.[a-z0-9-]+)*(?::\d+)?$/.test(host) ? host : null
}
