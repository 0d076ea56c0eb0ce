/** Types of HTTP requests that are signed or verified, and functions for their headers and hosts. */

import type { KeyObject } from 'node:crypto'

/** Header fields by lower-case name. A list has one entry per field line, in the order received. */
export type HeaderFields = Readonly<Record<string, string | readonly string[] | undefined>>

export type SignedRequest = {
  /** HTTP method of the request line, in any letter case. */
  method: string
  /** Request target exactly as received, with its query, neither decoded nor normalised. */
  path: string
  headers: HeaderFields
  /** Raw bytes of the body; empty for GET. */
  body: Uint8Array
}

export type OutgoingRequest = {
  method: 'GET' | 'POST'
  /**
   * Absolute URL of the request. The signature covers the path and the query, so the request must be sent to exactly
   * this URL.
   */
  url: string
  /**
   * Headers by lower-case name. `collection-synchronization` is signed if present; with the scheme cavage,
   * `content-type` is signed as well.
   */
  headers: Readonly<Record<string, string>>
  /** Raw bytes of the body of a POST; null for a GET. */
  body: Uint8Array | null
  /** Base64 SHA-256 of the body, if the caller has it already. The digest is computed if absent. */
  sha256?: string
  /** Id of the public key, such as `https://social.example/users/ada#main-key`. */
  keyId: string
  /** Private key: RSA for cavage, RSA or Ed25519 for rfc9421. */
  privateKey: KeyObject
  /** Time at which the request is signed, ms since the epoch. */
  now: number
  /** Signs the path without its query, for servers that verify the signature without the query (cavage only). */
  omitQuery?: boolean
}

/** Value of a header as both signature standards define it: field lines trimmed and joined with `, `. */
export const headerOf = (headers: HeaderFields, name: string): string | undefined => {
  const value = Object.hasOwn(headers, name) ? headers[name] : undefined
  if (value === undefined) return undefined
  if (typeof value === 'string') return value.trim()
  return value.map((line) => line.trim()).join(', ')
}

/** True if the header has more than one field line. */
export const isRepeated = (headers: HeaderFields, name: string): boolean => {
  const value = Object.hasOwn(headers, name) ? headers[name] : undefined
  return Array.isArray(value) && value.length > 1
}

/** Normalises the value of a `Host` header for comparison: lower case, no port 80 or 443, no trailing dot. */
export const comparableHost = (host: string): string =>
  host
    .trim()
    .toLowerCase()
    .replace(/:(?:80|443)$/, '')
    .replace(/\.(?=$|:)/, '')

/** Host of an http(s) URL, normalised by `comparableHost`; null for other texts, and for URLs with user info. */
export const hostOfUrl = (url: string): string | null => {
  if (!/^https?:\/\/[^\s\\]+$/i.test(url) || !URL.canParse(url)) return null
  const { username, password, host } = new URL(url)
  return username === '' && password === '' && host !== '' ? comparableHost(host) : null
}

/** Maximum number of characters of a key id that may be looked up. */
const longestKeyId = 2048

/** True for a key id that may be looked up: an http(s) URL without user info, at most `longestKeyId` characters. */
export const isKeyId = (keyId: string): boolean => keyId.length <= longestKeyId && hostOfUrl(keyId) !== null
