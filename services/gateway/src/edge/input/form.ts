/** Parses queries and urlencoded bodies. Names with brackets become lists and objects. */
import { fail } from '@murmuration/contracts/kit'
import qs from 'qs'

const LIMITS = {
  depth: 6,
  parameterLimit: 1_000,
  arrayLimit: 1_000,
  plainObjects: false,
  allowPrototypes: false,
  throwOnLimitExceeded: true,
} satisfies qs.IParseOptions & { throwOnLimitExceeded: boolean }

/** Matches a name in a list without indexes, such as `fields[][name]`. Groups: name of the list, brackets after `[]`. */
const UNINDEXED = /^([^[\]]+(?:\[[^[\]]+\])*)\[\](\[.+\])$/

const nameOf = (written: string): string => {
  try {
    return decodeURIComponent(written.replaceAll('+', ' '))
  } catch {
    return written
  }
}

/**
 * Adds indexes to lists of objects: `a[][x]=1&a[][y]=2&a[][x]=3` becomes two objects, because a repeated name starts the
 * next object.
 */
const indexed = (text: string): string => {
  if (!/(?:\[\]|%5b%5d)(?:\[|%5b)/i.test(text)) return text
  const lists = new Map<string, { at: number; names: Set<string> }>()
  return text
    .split('&')
    .map((pair) => {
      const end = pair.indexOf('=')
      const [, list = '', below = ''] = UNINDEXED.exec(nameOf(end < 0 ? pair : pair.slice(0, end))) ?? []
      if (list === '') return pair
      const seen = lists.get(list) ?? { at: 0, names: new Set() }
      lists.set(list, seen)
      if (seen.names.has(below) && !below.endsWith('[]')) {
        seen.at += 1
        seen.names.clear()
      }
      seen.names.add(below)
      return `${encodeURIComponent(`${list}[${seen.at}]${below}`)}${end < 0 ? '' : pair.slice(end)}`
    })
    .join('&')
}

/** Matches the key of a list item in brackets: a number or a word. */
const KEY = /^\[[^[\]]+\]$/
/** Matches an indexed name such as `fields_attributes[5][name]` or `options[5]`. Group: name of the list. */
const NUMBERED = /^([^[\]]+(?:\[[^[\]]+\])*?)\[-?\d+\](?:\[.*\])?$/

/**
 * Replaces the keys of each list that has a numeric key by 0, 1, 2 … in the order of the body. Otherwise the parser would
 * sort the list by its keys.
 */
const inOrder = (text: string): string => {
  if (!/(?:\[|%5b)-?\d+(?:\]|%5d)/i.test(text)) return text
  const lists = new Map<string, Map<string, number>>()
  const pairs = text.split('&').map((pair) => {
    const end = pair.indexOf('=')
    const name = nameOf(end < 0 ? pair : pair.slice(0, end))
    const list = NUMBERED.exec(name)?.[1]
    if (list !== undefined) lists.set(list, new Map())
    return { pair, name, value: end < 0 ? '' : pair.slice(end) }
  })
  return pairs
    .map(({ pair, name, value }) => {
      const parts = name.split(/(?=\[)/, LIMITS.depth)
      const at = parts.findIndex((key, i) => KEY.test(key) && lists.has(parts.slice(0, i).join('')))
      if (at < 0) return pair
      const list = parts.slice(0, at).join('')
      const key = parts[at] as string
      const indexes = lists.get(list) as Map<string, number>
      const index = indexes.get(key) ?? indexes.size
      indexes.set(key, index)
      return `${encodeURIComponent(`${list}[${index}]${name.slice(list.length + key.length)}`)}${value}`
    })
    .join('&')
}

/** Parses a query or urlencoded body. A repeated name becomes a list. Throws `invalid` for too many parameters. */
export const parseForm = (text: string): Record<string, unknown> => {
  if (text === '') return {}
  try {
    return qs.parse(inOrder(indexed(text)), LIMITS) as Record<string, unknown>
  } catch (error) {
    throw fail('invalid', 'The request has too many parameters', { cause: error })
  }
}

/** Matches a short query that contains no brackets and no escapes. */
const SIMPLE = /^[\w.~-]+=[\w.~-]*(?:&[\w.~-]+=[\w.~-]*)*$/

/** Parses a query like `parseForm`, but faster for queries without brackets and escapes. */
export const parseQuery = (query: string): Record<string, unknown> => {
  if (query === '') return {}
  if (query.length > 200 || !SIMPLE.test(query)) return parseForm(query)
  const given: Record<string, unknown> = {}
  for (const pair of query.split('&')) {
    const at = pair.indexOf('=')
    const name = pair.slice(0, at)
    if (name in given) return parseForm(query)
    given[name] = pair.slice(at + 1)
  }
  return given
}
