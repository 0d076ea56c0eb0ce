/** SQL as tagged templates. Values become parameters, and the same template always gives the same text. */
import { createHash } from 'node:crypto'

export interface Sql {
  readonly text: string
  readonly values: readonly unknown[]
  /** True for a statement that is not prepared; see `unprepared`. */
  readonly isUnprepared?: boolean
}

interface Fragment extends Sql {
  readonly parts: readonly string[]
}

const isFragment = (value: unknown): value is Fragment =>
  typeof value === 'object' && value !== null && 'parts' in value && 'values' in value

/** Texts of queries without interpolations, so that each is built once. */
const plainTexts = new WeakMap<TemplateStringsArray, string>()

const textOf = (parts: readonly string[]): string =>
  parts.reduce((text, part, i) => (i === 0 ? part : `${text}$${i}${part}`), '')

/** Builds a query whose template contains no `sql` fragments. */
const plain = (strings: TemplateStringsArray, values: readonly unknown[]): Fragment => {
  const text = plainTexts.get(strings) ?? textOf(strings)
  plainTexts.set(strings, text)
  return { parts: strings, values, text }
}

/**
 * Writes a query. Interpolated values become parameters; interpolated `sql` fragments are inlined.
 * @example sql`select * from statuses where id = any(${ids}) ${onlyMedia ? sql`and has_media` : sql``}`
 */
export const sql = (strings: TemplateStringsArray, ...args: readonly unknown[]): Sql => {
  if (!args.some(isFragment)) return plain(strings, args)
  const parts: string[] = [strings[0] ?? '']
  const values: unknown[] = []
  args.forEach((arg, i) => {
    const tail = strings[i + 1] ?? ''
    if (isFragment(arg)) {
      parts[parts.length - 1] += arg.parts[0] ?? ''
      parts.push(...arg.parts.slice(1))
      parts[parts.length - 1] += tail
      values.push(...arg.values)
    } else {
      values.push(arg)
      parts.push(tail)
    }
  })
  const made: Fragment = {
    parts,
    values,
    get text() {
      return textOf(this.parts)
    },
  }
  return made
}

/** JSON text for a parameter of a column that may be null; null for null and undefined. */
export const jsonOrNull = (value: unknown): string | null =>
  value === undefined || value === null ? null : JSON.stringify(value)

/** An SQL identifier that is known only at run time, checked by a strict pattern. */
export const name = (identifier: string): Sql => {
  if (!/^[a-z_][a-z0-9_.]*$/.test(identifier)) throw new Error(`not an SQL identifier: ${identifier}`)
  return { parts: [identifier], values: [], text: identifier } as Fragment
}

/**
 * Keys of a condition such as `id = any(${bigints(ids)})`. The keys are in a subquery, so that one generic plan serves
 * every call. PostgreSQL plans an array parameter by its length, and a generic plan assumes ten elements. Statements
 * with shorter arrays are therefore planned again for each call. The length of an array in a subquery is not read.
 * Not for partitioned tables: a cached plan scans partitions that were empty when it was made, because only values
 * exclude partitions. Not for statements with a limit or range that decides which index is best.
 */
const keys =
  (type: 'bigint' | 'text') =>
  (values: readonly string[]): Sql => {
    const array = name(type)
    return sql`(select ${values}::${array}[])::${array}[]`
  }

/** Wraps the ids of a condition `= any(…)` in a subquery; see `keys`. */
export const bigints = keys('bigint')
/** Wraps the texts of a condition `= any(…)` in a subquery; see `keys`. */
export const texts = keys('text')

/**
 * Marks a statement whose text depends on the number of values in a request. It is not prepared, because prepared
 * statements are never released: one for each text would fill the memory of the connection.
 */
export const unprepared = (query: Sql): Sql => ({ ...query, isUnprepared: true })

const names = new Map<string, string>()

/** Short stable name of a query text, so that the server parses and plans it once per connection. */
export const statementName = (text: string): string => {
  let known = names.get(text)
  if (known === undefined) {
    known = createHash('sha1').update(text).digest('base64url').slice(0, 16)
    if (names.size < 5_000) names.set(text, known)
  }
  return known
}
