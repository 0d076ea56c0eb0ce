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

/**
 * Parses JSON text from outside. Integers beyond 2^53 - 1 become text with all of their digits, because a JavaScript number
 * would round a 64-bit id to another one. Throws a SyntaxError, or a RangeError if the text is nested too deeply.
 */
export const parseJson = (text: string): unknown =>
  LONG_NUMBER.test(text) ? JSON.parse(text, exact as (key: string, value: unknown) => unknown) : JSON.parse(text)
