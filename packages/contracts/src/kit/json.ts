/** JSON text: a branded type that is joined without parsing, and a parser for received text that keeps 64-bit ids exact. */

declare const shape: unique symbol

/** JSON text whose parsed form has type `T`. Only `toJson` and the functions of `@murmuration/cards` that join texts create it. */
export type Json<T> = string & { readonly [shape]: T }

/** Serializes a value of this server to branded JSON text. */
export const toJson = <T>(value: T): Json<T> => JSON.stringify(value) as Json<T>

/** Joins JSON texts to the text of an array. */
export const jsonArray = <T>(items: readonly Json<T>[]): Json<T[]> => `[${items.join(',')}]` as Json<T[]>

/** Matches an integer of at least 16 digits outside quotes. Ids in quotes, which most clients send, do not match. */
const LONG_NUMBER = /[:,[\s]-?\d{16}/

const exact = (_key: string, value: unknown, { source = '' }: { source?: string }): unknown =>
  typeof value === 'number' && !Number.isSafeInteger(value) && /^-?\d+$/.test(source) ? source : value

/** Matches a numeric key of an object. JavaScript sorts such keys, regardless of their order in the text. */
const NUMERIC_KEY = /"\d{1,10}"\s*:/
const STRING = /"((?:[^"\\]|\\.)*)"(\s*:)?/g
/**
 * Private-use character that precedes numeric keys while JSON text is parsed, so that JavaScript does not sort them. If
 * the text already contains this character, the order of the keys is lost.
 */
const MARK = '\ue000'
const HAS_MARK = /\ue000|\\ue000/i

const orders = new WeakMap<object, readonly string[]>()

/** Keys of an object in the order of the JSON text from which it was parsed. */
export const keysInOrder = (value: object): readonly string[] => orders.get(value) ?? Object.keys(value)

const unmarked = (value: unknown): unknown => {
  if (typeof value !== 'object' || value === null) return value
  const keys = Object.keys(value)
  if (Array.isArray(value) || !keys.some((key) => key.startsWith(MARK))) return value
  const plain = keys.map((key) => (key.startsWith(MARK) ? key.slice(1) : key))
  const object = Object.fromEntries(plain.map((key, i) => [key, (value as Record<string, unknown>)[keys[i] as string]]))
  orders.set(object, [...new Set(plain)])
  return object
}

/** Matches an escaped surrogate in JSON text, which may be unpaired. PostgreSQL refuses an unpaired surrogate in a JSON column. */
const SURROGATE = /\\u[dD][89a-fA-F]/
const QUOTED = /"(?:[^"\\]|\\.)*"/g

/** Replaces unpaired surrogates in keys and values of valid JSON text by U+FFFD. */
const withoutLone = (text: string): string =>
  text.replace(QUOTED, (quoted) =>
    SURROGATE.test(quoted) ? JSON.stringify((JSON.parse(quoted) as string).toWellFormed()) : quoted,
  )

/**
 * Parses received JSON text. Integers beyond 2^53 - 1 become text with all digits, because a JavaScript number
 * would round a 64-bit id to another one. Objects remember the order of numeric keys for `keysInOrder`.
 * Unpaired surrogates become U+FFFD. Throws a SyntaxError, or a RangeError if the text is nested too deeply.
 */
export const parseJson = (given: string): unknown => {
  type Reviver = (key: string, value: unknown) => unknown
  const revive: Reviver | undefined = LONG_NUMBER.test(given) ? (exact as Reviver) : undefined
  // The text is parsed as JSON first, because the regular expressions STRING and QUOTED take quadratic time on text that is not JSON.
  const first: unknown = JSON.parse(given, revive)
  const text = SURROGATE.test(given) ? withoutLone(given) : given
  const value: unknown = text === given ? first : JSON.parse(text, revive)
  if (!NUMERIC_KEY.test(text) || HAS_MARK.test(text)) return value
  const marked = text.replace(STRING, (whole, inside: string, colon?: string) =>
    colon !== undefined && /^\d{1,10}$/.test(inside) ? `"${MARK}${inside}"${colon}` : whole,
  )
  const both = (key: string, value: unknown, more: { source?: string }): unknown =>
    unmarked(revive === undefined ? value : exact(key, value, more))
  return JSON.parse(marked, both as Reviver)
}
