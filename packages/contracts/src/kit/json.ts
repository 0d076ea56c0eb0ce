/** The branded JSON text type: text that already is JSON, joined but never parsed on the read path. */

declare const shape: unique symbol

/** JSON text whose parsed form has type `T`. Only `toJson` and the joins in `@murmuration/cards` make one. */
export type Json<T> = string & { readonly [shape]: T }

/** Serialises a value we own into branded JSON text. */
export const toJson = <T>(value: T): Json<T> => JSON.stringify(value) as Json<T>

/** An array of texts as the text of an array. */
export const jsonArray = <T>(items: readonly Json<T>[]): Json<T[]> => `[${items.join(',')}]` as Json<T[]>
