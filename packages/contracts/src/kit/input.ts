/** Input schemas for the forms that clients send: query and form text, JSON, and names with brackets. `Ids` is for requests of services. */
import { z } from 'zod'
import { keysInOrder } from './json.js'

const FALSE = new Set<unknown>([false, 0, '0', 'f', 'F', 'false', 'FALSE', 'off', 'OFF', '', null])

/** A boolean as clients send it: `1/0/true/True/on`. Every value except the known false values is true. */
export const flag = () =>
  z
    .unknown()
    .optional()
    .transform((value) => (value === undefined ? undefined : !FALSE.has(value)))

/** A boolean as clients send it, with a default. */
export const flagOr = (fallback: boolean) =>
  z
    .unknown()
    .optional()
    .transform((value) => (value === undefined ? fallback : !FALSE.has(value)))

const MAX_ID = 9_223_372_036_854_775_807n

/** True when the text is a 64-bit id. PostgreSQL refuses larger numbers. */
export const isId = (text: string): boolean => /^\d{1,19}$/.test(text) && BigInt(text) <= MAX_ID

/**
 * A 64-bit id as decimal text. Other texts become `0`, which no row has, so that the response is 404. This includes an
 * id beyond 2^53 - 1 that a client sent as a rounded number, such as `1.5e17`, because `parseJson` returns exact ids as
 * text.
 */
export const id = () =>
  z.union([z.string(), z.number()]).transform((value) => {
    const text = typeof value === 'string' || Number.isSafeInteger(value) ? String(value) : ''
    return isId(text) ? text.replace(/^0+(?=\d)/, '') : '0'
  })

/** An id that may be absent, such as a filter of a list or a cursor. An empty text counts as absent, because some clients send it. */
export const optionalId = () => z.preprocess((value) => (value === '' ? undefined : value), id().optional()).optional()

/**
 * A list of ids, from one value, an array, or a map with numeric keys. Duplicates are removed. More than `max` ids are
 * refused. `max`: null as for `list`.
 */
export const ids = (max: number | null = 1000) => list(id(), max).transform((values) => [...new Set(values)])

const INTEGER = /^-?\d{1,15}$/

/** A list of ids in a request between services. Unlike `ids`, it accepts only an array of texts. */
export const Ids = z.array(z.string()).max(1_000)

/** An integer given as text or number; other values are refused. */
export const int = () =>
  z
    .union([z.number(), z.string().regex(INTEGER, 'is not a number')])
    .transform(Number)
    .pipe(z.int('is not a number'))

/**
 * An integer, or the text of another value. The handler refuses the text, so that a missing object is reported before
 * an invalid value. Integers stay numbers, because processes of an earlier release accept only numbers. The OpenAPI
 * document shows an integer.
 */
export const intOrText = () =>
  z.union([int(), text(100)]).meta({ anyOf: [{ type: 'integer' }, { type: 'string', pattern: INTEGER.source }] })

/**
 * An integer from `min` to `max`. Other values become -1, which the handler refuses, so that a missing object is
 * reported before an invalid value. Unlike a text, -1 cannot be mistaken for an absent value by a process of an earlier
 * release.
 */
export const intOrMinusOne = (min: number, max: number) =>
  z.union([int().pipe(z.int().min(min).max(max)), z.unknown().transform(() => -1)]).meta({
    anyOf: [
      { type: 'integer', minimum: min, maximum: max },
      { type: 'string', pattern: INTEGER.source },
    ],
  })

/**
 * Default maximum number of characters of a text. Bodies of clients without files are shorter than this. Therefore
 * services check their own, lower limits and name them in their errors. Only bodies of staff and bodies with inline
 * files can be longer.
 */
export const BODY = 300_000

/**
 * A text. Numbers and booleans in JSON are converted. NUL is refused, because PostgreSQL cannot store it.
 * `max`: maximum number of characters, which the refusal names; omitted if the service checks a limit of its own.
 */
export const text = (max = BODY) =>
  z.union([z.string(), z.number().transform(String), z.boolean().transform(String)]).pipe(
    z
      .string()
      .max(max, `is too long (maximum is ${max} characters)`)
      .refine((s) => !s.includes('\u0000'), 'contains a null character'),
  )

/** An optional text. Null and the empty string become null. */
export const textOrNone = (max?: number) =>
  z.union([z.null(), text(max)]).transform((value) => (value === null || value === '' ? null : value))

const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * A list: an array, a single value, or a map in the order of the body. The keys of a map are numbers, or its values are objects.
 * A null value is the empty list. `max`: maximum number of items, which the refusal names. null: the schema has no limit,
 * and the service checks its own.
 */
export const list = <S extends z.ZodType>(item: S, max: number | null = 1000) =>
  z.preprocess(
    (value) => {
      if (value === undefined) return undefined
      if (value === null || value === '') return []
      if (Array.isArray(value)) return value
      if (typeof value === 'object') {
        const keys = keysInOrder(value)
        const values = keys.map((key) => (value as Record<string, unknown>)[key])
        if (keys.every((key) => /^-?\d+$/.test(key)) || values.every(isObject)) return values
      }
      return [value]
    },
    max === null ? z.array(item) : z.array(item).max(max, `has more than ${max} items`),
  )

/**
 * Text of a string, number or boolean, or of the first one in a list; empty for all other values. `String` throws for an
 * object of a JSON body whose `toString` is no function.
 */
export const scalarText = (value: unknown): string => {
  const one = Array.isArray(value) ? value[0] : value
  return typeof one === 'string' || typeof one === 'number' || typeof one === 'boolean' ? String(one) : ''
}

/** Page size: `usual` if the parameter is absent, else its absolute value, at most `max`. A value that is no number becomes 0. */
export const limit = (usual: number, max = usual * 2) =>
  z
    .unknown()
    .optional()
    .transform((value) => {
      if (value === undefined || value === null || value === '') return usual
      const n = Math.abs(Number.parseInt(scalarText(value), 10))
      return Number.isNaN(n) ? 0 : Math.min(n, max)
    })

/** Page size of a list that returns all rows for exactly `limit=0`, which becomes null. Other values are validated like `limit`. */
export const limitOrAll = (usual: number, max = usual * 2) =>
  z
    .unknown()
    .optional()
    .transform((value) => (scalarText(value) === '0' ? null : limit(usual, max).parse(value)))

/** Offset in a list that is sorted by relevance. */
export const offset = () =>
  z
    .unknown()
    .optional()
    .transform((value) => {
      const n = Number.parseInt(scalarText(value), 10)
      return Number.isNaN(n) ? 0 : Math.min(Math.abs(n), 10_000)
    })

/** Cursor parameters of a list that is sorted by id. */
export interface Page {
  limit: number
  max_id?: string | undefined
  since_id?: string | undefined
  min_id?: string | undefined
}

/** Cursor fields, to spread into an object schema. */
export const pageFields = (usual = 20, max = usual * 2) => ({
  limit: limit(usual, max),
  max_id: optionalId(),
  since_id: optionalId(),
  min_id: optionalId(),
})

/** Input of a list without parameters other than paging. */
export const page = ({ usual = 20, max = usual * 2 }: { usual?: number; max?: number } = {}) =>
  z.object(pageFields(usual, max))

/** Input without parameters. */
export const nothing = () => z.object({})
