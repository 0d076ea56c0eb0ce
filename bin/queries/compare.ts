/** Compares the types that a call declares with the types that PostgreSQL reports for its statement. */
import pg from 'pg'
import type { Catalogue, Column, Description } from './describe.js'
import { type Kind, NOT_JSON, type Row, type Shape } from './shapes.js'

/** Sample values by PostgreSQL type. The driver parses them, which shows the JavaScript type that it returns. */
const SAMPLES: Record<string, string> = {
  bool: 't',
  bytea: '\\x00',
  date: '2026-01-01',
  timestamp: '2026-01-01 00:00:00',
  timestamptz: '2026-01-01 00:00:00+00',
  json: '{}',
  jsonb: '{}',
  interval: '1 day',
  point: '(1,1)',
}

const kindOf = (value: unknown): Kind => {
  if (value instanceof Date) return 'date'
  if (value instanceof Uint8Array) return 'bytes'
  if (Array.isArray(value)) return 'array'
  return typeof value as Kind
}

/** Kind of value that the driver returns for a column of a PostgreSQL type; `json` for json and jsonb. */
export interface Received {
  kind: Kind | 'json'
  element?: Kind | 'json' | undefined
}

const isJson = (name: string): boolean => /^_?jsonb?$/.test(name)

export const createReceived = (catalogue: Catalogue) => {
  const parsed = (type: number, sample: string): unknown => pg.types.getTypeParser(type, 'text')(sample)
  return (type: number): Received => {
    const known = catalogue.types.get(type)
    if (!known) return { kind: 'string' }
    if (isJson(known.name) && !known.name.startsWith('_')) return { kind: 'json' }
    const isArray = known.name.startsWith('_')
    const element = isArray ? (catalogue.types.get(known.element)?.name ?? '') : known.name
    const sample = SAMPLES[element] ?? '1'
    const value = parsed(type, isArray ? `{"${sample.replaceAll('\\', '\\\\')}"}` : sample)
    if (!Array.isArray(value)) return { kind: kindOf(value) }
    return { kind: 'array', element: isJson(element) ? 'json' : kindOf(value[0]) }
  }
}

const accepts = (shape: Shape, kind: Kind | 'json'): boolean =>
  shape.kinds.has('any') || (kind === 'json' ? !NOT_JSON.some((one) => shape.kinds.has(one)) : shape.kinds.has(kind))

/**
 * Returns a statement without the subqueries that are values, such as `coalesce((select …), 0)`. Subqueries after
 * `from` or `join` are kept.
 */
const withoutValues = (text: string): string => {
  let left = ''
  let end = 0
  for (const match of text.matchAll(/(\w+|.)\s*\((?=select\b)/g)) {
    if (match.index < end || /^(from|join|lateral|as|materialized|all)$/i.test(match[1] ?? '')) continue
    const start = match.index + match[0].length
    let open = 1
    let at = start
    for (; open > 0 && at < text.length; at++) open += text[at] === '(' ? 1 : text[at] === ')' ? -1 : 0
    left += text.slice(end, start)
    end = at - 1
  }
  return left + text.slice(end)
}

/**
 * Columns that cannot be null in the result of a statement: because a condition excludes null, or because of `c =
 * coalesce(c, $1)`. The search is approximate: a condition within `or` counts too, although it does not exclude null.
 */
const requiredIn = (text: string): Set<string> => {
  const conditions = text.matchAll(
    /\b(?:where|and|on|when) \(?(?:\w+\.)?(\w+)(?:::\w+)? (?:is not null|=|<|>|in \(|like|~)/gi,
  )
  const defaults = text.matchAll(/\b(\w+) = coalesce\((?:\w+\.)?\1, \$\d+/gi)
  return new Set([...conditions, ...defaults].map(([, name]) => name ?? ''))
}

const NO_VALUE: readonly Kind[] = ['null', 'undefined', 'any']

/** Whether a statement selects `null as name`, whose type PostgreSQL reports as text. */
const isNullIn = (name: string, text: string): boolean => new RegExp(`\\bnull as "?${name}\\b`).test(text)

/** Identifiers that follow these words in a statement, in lower case. */
const namesAfter = (text: string, words: RegExp): Set<string> =>
  new Set([...text.matchAll(words)].map(([, name]) => (name ?? '').toLowerCase()))

/**
 * Returns a function that tells whether a column of a result may be null. For columns of tables, their definition and
 * outer joins show it; for other columns, it is unknown. If a subquery is outer-joined, it is unknown for the other
 * tables, because the subquery may contain them.
 */
const createMayBeNull = (whole: string, { tables, nullable }: Catalogue): ((column: Column) => boolean) => {
  const text = withoutValues(whole)
  const required = requiredIn(text)
  const outer = namesAfter(text, /\b(?:left|full)(?: outer)? join ([\w(]+)/gi)
  const inner = namesAfter(text, /(?:\b(?:from|using|into|update)|(?<!left|full|outer)\s+join) (?:lateral )?(\w+)/gi)
  const known = new Set(tables.values())
  const isClear = [...outer].every((name) => known.has(name)) && !/\b(right|full)( outer)? join\b/i.test(text)
  return ({ table, attribute }) => {
    const name = tables.get(table)
    if (!name) return false
    const column = nullable.get(`${table}.${attribute}`)
    const isOuter = outer.has(name) && !inner.has(name)
    if (isOuter) return column === undefined || !required.has(column)
    return isClear && !outer.has(name) && column !== undefined && !required.has(column)
  }
}

export const compareRow = (
  row: Row,
  description: Description,
  statement: string,
  catalogue: Catalogue,
  received: (type: number) => Received,
): string[] => {
  const found: string[] = []
  const text = statement.replaceAll(/\s+/g, ' ')
  const mayBeNull = createMayBeNull(text, catalogue)
  const columns = new Map<string, Column>(description.columns.map((column) => [column.name, column]))
  const typeName = (type: number): string => catalogue.types.get(type)?.name ?? String(type)
  for (const [name, { shape, optional, isNoJson }] of row.properties) {
    const column = columns.get(name)
    if (!column) {
      if (!optional) found.push(`${name} is in the type and not in the result`)
      continue
    }
    if (isNullIn(name, text)) continue
    const { kind, element } = received(column.type)
    if (kind === 'json' && isNoJson()) found.push(`${name} is JSON, and ${shape.text} contains a type that JSON lacks`)
    else if (!accepts(shape, kind))
      found.push(`${name} is ${typeName(column.type)}, received as ${kind}, and declared as ${shape.text}`)
    else if (kind === 'array' && element && shape.element && !accepts(shape.element, element))
      found.push(`${name} has elements received as ${element}, and is declared as ${shape.text}`)
    const place = `${column.table}.${column.attribute}`
    const unknown = shape.literals ? catalogue.permitted.get(place)?.filter((value) => !shape.literals?.has(value)) : []
    if (unknown?.length) found.push(`${name} may be '${unknown[0]}', and is declared as ${shape.text}`)
    if (!NO_VALUE.some((one) => shape.kinds.has(one)) && mayBeNull(column))
      found.push(`${name} may be null, and is declared as ${shape.text}`)
  }
  if (!row.properties.size) return found
  if (!row.rest)
    for (const { name } of description.columns)
      if (!row.properties.has(name)) found.push(`${name} is in the result and not in the type`)
  const names = description.columns.map(({ name }) => name)
  for (const name of new Set(names.filter((one, i) => names.indexOf(one) !== i)))
    found.push(`${name} is the name of two columns`)
  return found
}

/** Kinds of JavaScript values that may be sent as a parameter of a PostgreSQL type. For types that are not listed, any kind is accepted. */
const SENDABLE: readonly [RegExp, readonly Kind[]][] = [
  [/^(int8|numeric)$/, ['string', 'number', 'bigint']],
  [/^(int2|int4|float4|float8|oid)$/, ['number']],
  [/^bool$/, ['boolean']],
  [/^(timestamptz|timestamp|date)$/, ['date', 'string']],
  [/^bytea$/, ['bytes']],
  [/^jsonb?$/, ['string', 'object']],
  [/^(text|varchar|bpchar|name|inet|cidr|uuid|interval|tsvector|tsquery)$/, ['string']],
]

const ALWAYS = new Set<Kind>(['null', 'undefined', 'any'])

export const compareParameter = (shape: Shape, type: number, { types }: Catalogue): string | null => {
  const known = types.get(type)
  if (!known) return null
  const isArray = known.name.startsWith('_')
  const name = isArray ? (types.get(known.element)?.name ?? '') : known.name
  const wanted = SENDABLE.find(([names]) => names.test(name))?.[1]
  if (!wanted) return null
  const wrong = (of: Shape, kinds: readonly Kind[]) =>
    [...of.kinds].filter((kind) => !ALWAYS.has(kind) && !kinds.includes(kind))
  if (!isArray) return wrong(shape, wanted).length ? `is ${known.name}, and ${shape.text} is sent` : null
  if (wrong(shape, ['array']).length) return `is ${known.name}, and ${shape.text} is sent`
  return shape.element && wrong(shape.element, wanted).length ? `is ${known.name}, and ${shape.text} is sent` : null
}
