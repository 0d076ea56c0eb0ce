/** Queries and urlencoded bodies: names with brackets become lists and objects. */
import { fail } from '@murmuration/contracts/kit'
import qs from 'qs'

const LIMITS: qs.IParseOptions & { throwOnLimitExceeded: boolean } = {
  depth: 6,
  parameterLimit: 1_000,
  arrayLimit: 1_000,
  plainObjects: false,
  allowPrototypes: false,
  throwOnLimitExceeded: true,
}

/** Parses a query or urlencoded body; too many parts are refused. A name that is repeated becomes a list. */
export const parseForm = (text: string): Record<string, unknown> => {
  if (text === '') return {}
  try {
    return qs.parse(text, LIMITS) as Record<string, unknown>
  } catch (error) {
    throw fail('invalid', 'The request has too many parameters', { cause: error })
  }
}

const SIMPLE = /^[\w.~-]+=[\w.~-]*(?:&[\w.~-]+=[\w.~-]*)*$/

/** The same for queries, most of which are a few plain words. */
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
