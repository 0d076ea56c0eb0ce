/** Turns the bytes of a foreign document into one JSON object, bounded in size, depth and number of values. */

import { limits } from './limits.js'
import { isLoose, type Loose } from './loose.js'

export type DocumentRefusal =
  | 'too-large'
  | 'too-deep'
  | 'too-many-values'
  | 'not-utf8'
  | 'not-json'
  | 'not-an-object'
  | 'reshaped'

export type ParsedDocument = { ok: true; document: Loose } | { ok: false; reason: DocumentRefusal }

const quote = 0x22
const backslash = 0x5c

/** Counts nesting and separators outside of strings, before anything is built from the text. */
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

/** Keys that make a document mean something else than what its other keys show. */
const reshaping: ReadonlySet<string> = new Set(['@graph', '@included', '@reverse'])

/** True when such a key is anywhere in the value, or the value is too deep to check. */
export const isReshaped = (value: unknown, depth = 0): boolean => {
  if (typeof value !== 'object' || value === null) return false
  if (depth > limits.depth) return true
  if (Array.isArray(value)) return value.some((it) => isReshaped(it, depth + 1))
  return Object.entries(value).some(([key, it]) => reshaping.has(key) || isReshaped(it, depth + 1))
}

/** NUL cannot be stored, and half a character cannot be sent on: both become the replacement character. */
const cleaned = (_key: string, value: unknown): unknown =>
  typeof value === 'string' ? value.toWellFormed().replaceAll('\u0000', '\ufffd') : value

/** Only an escape can bring these into a text that is sound UTF-8. */
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

/** The document, or why the bytes are none. Every foreign document enters through here; a refusal is answered with 400. */
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
  if (!isLoose(document)) return no('not-an-object')
  return mayBeReshaped.test(text) && isReshaped(document) ? no('reshaped') : { ok: true, document }
}
