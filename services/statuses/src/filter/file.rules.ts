/** Rules of imported filters: parsing by the rules of the API, and the plan that compares them with stored filters. */
import type { FilterAction, FilterContext } from '@murmuration/contracts/entities'
import {
  type ErrorText,
  errorText,
  Failure,
  flag,
  list,
  problemsOf,
  text,
  textOrNone,
} from '@murmuration/contracts/kit'
import { readTime } from '@murmuration/text'
import { z } from 'zod'
import { checkFilterBounds, filterAction, filterContext, filterTitle, keywordChanges } from './rules.js'

const MAX_ADDRESS = 2_048

const Document = z.object({
  title: textOrNone(10_000).optional(),
  expires_at: z.union([z.null(), z.literal('').transform(() => null), text(100)]).optional(),
  context: list(text(100), 50).optional(),
  action: textOrNone(100).optional(),
  keywords_attributes: list(
    z.object({ keyword: textOrNone(10_000).optional(), whole_word: flag() }),
    10_000,
  ).optional(),
  statuses: list(text(MAX_ADDRESS), 10_000).optional(),
})

/** Content of a filter, from a file or a row. */
export interface FilterFields {
  title: string
  context: FilterContext[]
  action: FilterAction
  expires_at: Date | null
  keywords: { keyword: string; whole_word: boolean }[]
}

export interface FileFilter extends FilterFields {
  /** Addresses of the statuses that the filter contains. */
  uris: string[]
}

const NAMES: Readonly<Record<string, ErrorText>> = {
  title: errorText('Title'),
  expires_at: errorText('End'),
  context: errorText('Context'),
  action: errorText('Action'),
  keywords_attributes: errorText('Keywords'),
  statuses: errorText('Posts'),
}
const invalid = (field: ErrorText = errorText('Filter')): string =>
  errorText('{field} is invalid', { field }).toString()

/** Parses `2030-01-02 03:04:05 UTC`, the form of other servers, ISO 8601 and further forms. Null for never; undefined if invalid. */
const endOf = (typed: string | null | undefined): Date | null | undefined => {
  if (typed === null || typed === undefined) return null
  const end = new Date(readTime(typed))
  const year = end.getUTCFullYear()
  return year >= 1970 && year < 2200 ? end : undefined
}

/** Message of a validation error. Errors of any other type are thrown on. */
const wrongWith = (error: unknown): string => {
  if (!(error instanceof Failure)) throw error
  return problemsOf(error).join(', ')
}

/** Parses one filter of a file. Returns the parsed filter, or the problem with the document. */
export const readFilter = (document: string): FileFilter | { problem: string } => {
  const { data, error } = Document.safeParse(JSON.parse(document))
  if (error) {
    return { problem: invalid(NAMES[String(error.issues[0]?.path[0])]) }
  }
  const expires_at = endOf(data.expires_at)
  if (expires_at === undefined) return { problem: invalid(NAMES.expires_at) }
  try {
    return {
      title: filterTitle(data.title),
      context: filterContext(data.context),
      action: filterAction(data.action),
      expires_at,
      keywords: keywordChanges(data.keywords_attributes ?? []).added,
      uris: [...new Set(data.statuses ?? [])],
    }
  } catch (error) {
    return { problem: wrongWith(error) }
  }
}

/** A filter with the ids of its statuses. */
export interface Covering extends FilterFields {
  statuses: string[]
}

/** A text that is equal for filters with equal content. */
export const sameFilter = ({ title, context, action, expires_at, keywords, statuses }: Covering): string =>
  JSON.stringify([
    title,
    [...context].sort(),
    action,
    expires_at?.getTime() ?? null,
    keywords.map((one) => JSON.stringify([one.keyword, one.whole_word])).sort(),
    [...statuses].sort(),
  ])

export interface Plan<F> {
  /** Filters to store, in the order of the file. */
  fresh: F[]
  /** Ids of stored filters that the import deletes. */
  gone: string[]
  /** Problems of filters in the file that would exceed the limits, by the number of the filter in the file. */
  refused: Map<number, string>
}

/** A stored filter; `dead`: number of its statuses that are deleted. */
type Kept = Covering & { id: string; dead: number }

const lengthOf = (text: string): number => [...text].length

interface Weight {
  filters: number
  entries: number
  characters: number
}

const weightOf = (one: Covering & { dead?: number }): Weight => ({
  filters: 1,
  entries: one.keywords.length + one.statuses.length + (one.dead ?? 0),
  characters: one.keywords.reduce((sum, { keyword }) => sum + lengthOf(keyword), 0),
})

const plus = (a: Weight, b: Weight): Weight => ({
  filters: a.filters + b.filters,
  entries: a.entries + b.entries,
  characters: a.characters + b.characters,
})

/**
 * Error text if the filters of an account exceed the limits with this total weight; null if they are within the limits.
 */
const problemOf = (kept: Weight): string | null => {
  try {
    checkFilterBounds(kept)
    return null
  } catch (error) {
    return wrongWith(error)
  }
}

/** Plans the import of a file. Equal stored filters stay unchanged, and no filter is stored twice. */
export const planFilters = <F extends Covering & { n: number }>(
  file: readonly F[],
  here: readonly Kept[],
  overwrite: boolean,
): Plan<F> => {
  const named = new Set(file.map(sameFilter))
  const gone = overwrite ? here.filter((one) => !named.has(sameFilter(one))) : []
  const kept = here.filter((one) => !gone.includes(one))
  const known = new Set(kept.map(sameFilter))
  const plan: Plan<F> = { fresh: [], gone: gone.map((one) => one.id), refused: new Map() }
  let total = kept.map(weightOf).reduce(plus, { filters: 0, entries: 0, characters: 0 })
  for (const one of file) {
    const same = sameFilter(one)
    if (known.has(same)) continue
    const sum = plus(total, weightOf(one))
    const problem = problemOf(sum)
    if (problem !== null) {
      plan.refused.set(one.n, problem)
      continue
    }
    known.add(same)
    plan.fresh.push(one)
    total = sum
  }
  // If no filter of the file can be stored, nothing is deleted.
  return plan.refused.size === file.length ? { ...plan, gone: [] } : plan
}
