/** The shape of an HTTP request as the signature code sees it, and how its headers and hosts are read. */

import type { KeyObject } from 'node:crypto'

/** Header fields by lower-case name; a list holds one entry per field line, in order of arrival. */
export type HeaderFields = Readonly<Record<string, string | readonly string[] | undefined>>

export type SignedRequest = {
  /** As on the request line, in any case. */
  method: string
  /** The request target exactly as received, with its query: no decoding, no normalisation. */
  path: string
  headers: HeaderFields
  /** The raw bytes of the body; empty for GET. */
  body: Uint8Array
}

export type OutgoingRequest = {
  method: 'GET' | 'POST'
  /** Absolute; what is signed is exactly its path and query, so send it unchanged. */
  url: string
  /** Lower-case names. `content-type` and `collection-synchronization` are covered when they are here. */
  headers: Readonly<Record<string, string>>
  /** The raw bytes of a POST; null for a GET. */
  body: Uint8Array | null
  /** Base64 SHA-256 of the body, when it is known already: one body goes to many hosts. */
  sha256?: string
  /** The URL of the public key, such as `https://social.example/users/ada#main-key`. */
  keyId: string
  /** RSA for cavage; RSA or Ed25519 for rfc9421. */
  privateKey: KeyObject
  /** Milliseconds since the epoch: the moment of this attempt, not of the first one. */
  now: number
  /** For the second try at servers that sign the path without its query (cavage only). */
  omitQuery?: boolean
}

/** The value of a header as both signature standards want it: field lines trimmed and joined with `, `. */
export const headerOf = (headers: HeaderFields, name: string): string | undefined => {
  const value = Object.hasOwn(headers, name) ? headers[name] : undefined
  if (value === undefined) return undefined
  if (typeof value === 'string') return value.trim()
  return value.map((line) => line.trim()).join(', ')
}

/** True when the header arrived as more than one field line. */
export const isRepeated = (headers: HeaderFields, name: string): boolean => {
  const value = Object.hasOwn(headers, name) ? headers[name] : undefined
  return Array.isArray(value) && value.length > 1
}

/** A `Host` value in the form hosts are compared in: lower case, no default port, no trailing dot. */
export const comparableHost = (host: string): string =>
  host
    .trim()
    .toLowerCase()
    .replace(/:(?:80|443)$/, '')
    .replace(/\.(?=$|:)/, '')

/** The comparable host of an http(s) URL, or null when it is no such URL. */
export const hostOfUrl = (url: string): string | null => {
  if (!/^https?:\/\/[^\s\\]+$/i.test(url) || !URL.canParse(url)) return null
  const { username, password, host } = new URL(url)
  return username === '' && password === '' && host !== '' ? comparableHost(host) : null
}

/** The longest key id that is looked at. */
const longestKeyId = 2048

/** True for a key id that may be looked up: an http(s) URL of reasonable length, without user info. */
export const isKeyId = (keyId: string): boolean => keyId.length <= longestKeyId && hostOfUrl(keyId) !== null
