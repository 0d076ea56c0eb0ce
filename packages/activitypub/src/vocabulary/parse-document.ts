/** Parses the bytes of a remote document to a JSON object, with limits of size, depth and number of values. */

import { isJsonObject, type JsonObject } from './json.js'
import { limits } from './limits.js'

export type DocumentRefusal =
  | 'too-large'
  | 'too-deep'
  | 'too-many-values'
  | 'not-utf8'
  | 'not-json'
  | 'not-an-object'
  | 'reshaped'

export type ParsedDocument = { ok: true; document: JsonObject } | { ok: false; reason: DocumentRefusal }

const quote = 0x22
const backslash = 0x5c

/**
 * Checks the nesting depth and the number of values of a document in its bytes, before the JSON parser allocates
 * memory. Returns null if they are within the limits.
 */
const oversize = (bytes: Uint8Array): DocumentRefusal | null => {
  let depth = 0
  let values = 0
  for (let at = 0; at < bytes.length; at++) {
    switch (bytes[at]) {
      case quote:
        for (at++; at < bytes.length && bytes[at] !== quote; at++) if (bytes[at] === backslash) at++
        break
      case 0x5b:
      case 0x7b:
        if (++depth > limits.depth) return 'too-deep'
        break
      case 0x5d:
      case 0x7d:
        depth--
        break
      case 0x2c:
        if (++values > limits.values) return 'too-many-values'
    }
  }
  return null
}

/** JSON-LD keywords that change the structure of a document, so that its other keys do not show its meaning. */
const reshaping: ReadonlySet<string> = new Set(['@graph', '@included', '@reverse'])

/** True if the value contains a JSON-LD keyword that changes how other properties are read (`reshaping`), or is nested too deep to check. */
export const isReshaped = (value: unknown, depth = 0): boolean => {
  if (typeof value !== 'object' || value === null) return false
  if (depth > limits.depth) return true
  if (Array.isArray(value)) return value.some((it) => isReshaped(it, depth + 1))
  return Object.entries(value).some(([key, it]) => reshaping.has(key) || isReshaped(it, depth + 1))
}

/** Replaces NUL and lone surrogates by U+FFFD, because PostgreSQL cannot store them. */
const cleaned = (_key: string, value: unknown): unknown =>
  typeof value === 'string' ? value.toWellFormed().replaceAll('\u0000', '\ufffd') : value

/** True for texts with escapes of NUL or surrogates. Without an escape, valid UTF-8 JSON cannot contain them. */
const needsCleaning = /\\u(?:0000|d[89a-f])/i
const mayBeReshaped = /@(?:graph|included|reverse)|\\u00/

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

const decode = (bytes: Uint8Array): string | null => {
  try {
    return utf8.decode(bytes)
  } catch {
    return null
  }
}

const parse = (text: string): unknown => {
  try {
    return needsCleaning.test(text) ? JSON.parse(text, cleaned) : JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Parses a remote document. Every received or fetched document passes through this function. */
export const parseDocument = (bytes: Uint8Array, options: { maxBytes?: number } = {}): ParsedDocument => {
  const no = (reason: DocumentRefusal): ParsedDocument => ({ ok: false, reason })
  if (bytes.length > (options.maxBytes ?? limits.documentBytes)) return no('too-large')
  const size = oversize(bytes)
  if (size !== null) return no(size)
  // A byte order mark before JSON is ignored (RFC 8259, section 8.1).
  const text = decode(bytes)?.replace(/^\ufeff/, '') ?? null
  if (text === null) return no('not-utf8')
  const document = parse(text)
  if (document === undefined) return no('not-json')
  if (!isJsonObject(document)) return no('not-an-object')
  return mayBeReshaped.test(text) && isReshaped(document) ? no('reshaped') : { ok: true, document }
}
