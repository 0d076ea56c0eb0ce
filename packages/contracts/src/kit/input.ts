/** Input schemas that read what clients really send: text, JSON and bracketed forms alike. */
import { z } from 'zod'
import { keysInOrder } from './json.js'

const FALSE = new Set<unknown>([false, 0, '0', 'f', 'F', 'false', 'FALSE', 'off', 'OFF', '', null])

/** A boolean as clients send it: `1/0/true/True/on`; false only for the known false values. */
export const flag = () =>
  z
    .unknown()
    .optional()
    .transform((value) => (value === undefined ? undefined : !FALSE.has(value)))

/** A boolean that is never undefined. */
export const flagOr = (fallback: boolean) =>
  z
    .unknown()
    .optional()
    .transform((value) => (value === undefined ? fallback : !FALSE.has(value)))

const MAX_ID = 9_223_372_036_854_775_807n

/** Whether text is a 64-bit id: PostgreSQL refuses what looks like one and is larger. */
export const isId = (text: string): boolean => /^\d{1,19}$/.test(text) && BigInt(text) <= MAX_ID

/** A 64-bit id as decimal text. Any other text becomes `0`, which no row has, so that it answers "not found". */
export const id = () =>
  z.union([z.string(), z.number()]).transform((value) => {
    const text = String(value)
    return isId(text) ? text.replace(/^0+(?=\d)/, '') : '0'
  })

/** A list of ids: one value, an array, or an index-keyed map; at most `most` distinct ones. */
export const ids = (most = 1000) => list(id(), most).transform((values) => [...new Set(values)])

/** A whole number given as text or number; anything else is refused. */
export const int = () =>
  z
    .union([z.number(), z.string().regex(/^-?\d{1,15}$/, 'is not a number')])
    .transform(Number)
    .pipe(z.int('is not a number'))

/** Text; numbers and booleans in JSON bodies are accepted as their text. NUL is refused: PostgreSQL cannot store it. */
export const text = (most = 100_000) =>
  z.union([z.string(), z.number().transform(String), z.boolean().transform(String)]).pipe(
    z
      .string()
      .max(most, `is too long (maximum is ${most} characters)`)
      .refine((s) => !s.includes('\u0000'), 'contains a null character'),
  )

/** Text where null and the empty string mean "not given". */
export const textOrNone = (most?: number) =>
  z.union([z.null(), text(most)]).transform((value) => (value === null || value === '' ? null : value))

/** A list: an array, one value alone, or a map keyed by numbers, in the order of the body; null is the empty list. */
export const list = <S extends z.ZodType>(item: S, most = 1000) =>
  z.preprocess(
    (value) => {
      if (value === undefined) return undefined
      if (value === null || value === '') return []
      if (Array.isArray(value)) return value
      if (typeof value === 'object') {
        const keys = keysInOrder(value)
        if (keys.every((key) => /^\d+$/.test(key))) return keys.map((key) => (value as Record<string, unknown>)[key])
      }
      return [value]
    },
    z.array(item).max(most, `has more than ${most} items`),
  )

/** Page size as clients send it: absent gives the default, otherwise min(|n|, most); text that is no number gives 0. */
export const limit = (usual: number, most = usual * 2) =>
  z
    .unknown()
    .optional()
    .transform((value) => {
      if (value === undefined || value === null || value === '') return usual
      const n = Math.abs(Number.parseInt(String(value), 10))
      return Number.isNaN(n) ? 0 : Math.min(n, most)
    })

/** An offset of relevance-ordered lists. */
export const offset = () =>
  z
    .unknown()
    .optional()
    .transform((value) => {
      const n = Number.parseInt(String(value ?? 0), 10)
      return Number.isNaN(n) ? 0 : Math.min(Math.abs(n), 10_000)
    })

/** Cursor parameters of an id-ordered list. */
export interface Page {
  limit: number
  max_id?: string | undefined
  since_id?: string | undefined
  min_id?: string | undefined
}

/** A cursor; the empty text, as apps send it for the first page, is none. */
const cursor = () => z.preprocess((value) => (value === '' ? undefined : value), id().optional()).optional()

/** The cursor fields, to spread into an object schema. */
export const pageFields = (usual = 20, most = usual * 2) => ({
  limit: limit(usual, most),
  max_id: cursor(),
  since_id: cursor(),
  min_id: cursor(),
})

/** Input of a list that takes nothing but a page. */
export const page = ({ usual = 20, most = usual * 2 }: { usual?: number; most?: number } = {}) =>
  z.object(pageFields(usual, most))

/** No input at all. */
export const nothing = () => z.object({})
