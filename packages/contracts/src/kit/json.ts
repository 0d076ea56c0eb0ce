/** JSON text: branded text that is joined but never parsed on the read path, and a parser for text from outside that keeps ids exact. */

declare const shape: unique symbol

/** JSON text whose parsed form has type `T`. Only `toJson` and the joins in `@murmuration/cards` make one. */
export type Json<T> = string & { readonly [shape]: T }

/** Serialises a value we own into branded JSON text. */
export const toJson = <T>(value: T): Json<T> => JSON.stringify(value) as Json<T>

/** An array of texts as the text of an array. */
export const jsonArray = <T>(items: readonly Json<T>[]): Json<T[]> => `[${items.join(',')}]` as Json<T[]>

/** An integer of at least 16 digits that is not inside quotes. Ids in quotes, which most clients send, do not match. */
const LONG_NUMBER = /[:,[\s]-?\d{16}/

const exact = (_key: string, value: unknown, { source = '' }: { source?: string }): unknown =>
  typeof value === 'number' && !Number.isSafeInteger(value) && /^-?\d+$/.test(source) ? source : value

/** Keys of digits, which JavaScript sorts whatever their order in the text. */
const NUMERIC_KEY = /"\d{1,9}"\s*:/
const STRING = /"((?:[^"\\]|\\.)*)"(\s*:)?/g
/** Stands before such keys while the text is parsed: a private character. Text that has it already keeps no order. */
const MARK = '\ue000'
const HAS_MARK = /\ue000|\\ue000/i

const orders = new WeakMap<object, readonly string[]>()

/** The keys of an object in the order of the JSON text that it was parsed from. */
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

/**
 * Parses JSON text from outside. Integers beyond 2^53 - 1 become text with all of their digits, because a JavaScript number
 * would round a 64-bit id to another one. The order of keys of digits is kept for `keysInOrder`. Throws a SyntaxError, or a
 * RangeError if the text is nested too deeply.
 */
export const parseJson = (text: string): unknown => {
  type Reviver = (key: string, value: unknown) => unknown
  const revive: Reviver | undefined = LONG_NUMBER.test(text) ? (exact as Reviver) : undefined
  // Text that is not JSON must not reach STRING, which would look for the end of a string again and again.
  const value: unknown = JSON.parse(text, revive)
  if (!NUMERIC_KEY.test(text) || HAS_MARK.test(text)) return value
  const marked = text.replace(STRING, (whole, inside: string, colon?: string) =>
    colon !== undefined && /^\d{1,9}$/.test(inside) ? `"${MARK}${inside}"${colon}` : whole,
  )
  const both = (key: string, value: unknown, more: { source?: string }): unknown =>
    unmarked(revive === undefined ? value : exact(key, value, more))
  return JSON.parse(marked, both as Reviver)
}
