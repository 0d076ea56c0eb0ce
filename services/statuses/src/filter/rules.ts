/** Validation of filters: title, context, action, end and keywords. Throws 422 with the messages that clients know. */
import { FilterAction, FilterContext } from '@murmuration/contracts/entities'
import { errorText, fieldText, integerOf, invalidField } from '@murmuration/contracts/kit'
import { limits } from '@murmuration/contracts/limits'

/** Limits for the filters of one account. The limits also bound the cost of comparing a status. */
export const FILTER_BOUNDS = { filters: limits.accounts.filters, entries: 5_000, characters: 50_000 } as const

/** Maximum duration in seconds: 100 years. Clients cannot read later times. */
const MAX_S = 3_155_760_000

export const filterTitle = (typed: string | null | undefined): string => {
  const title = (typed ?? '').trim()
  const max = limits.accounts.filterTitleCharacters
  if (title === '') throw invalidField("Title can't be blank")
  if ([...title].length > max)
    throw invalidField(errorText('Title is too long (maximum is {most} characters)', { most: max }))
  return title
}

/** Distinct contexts in which a filter applies, such as `home`. Throws if a context is unknown, or if none is given. */
export const filterContext = (given: readonly string[] | undefined): FilterContext[] => {
  const known = [...new Set(given ?? [])].filter((one) => one !== '').map((one) => FilterContext.safeParse(one).data)
  if (known.length === 0 || known.includes(undefined)) throw invalidField('Context None or invalid context supplied')
  return known as FilterContext[]
}

export const filterAction = (typed: string | null | undefined): FilterAction => {
  if (typed === null || typed === undefined) return 'warn'
  const { data } = FilterAction.safeParse(typed)
  if (!data) throw invalidField('Action is not included in the list')
  return data
}

/** End of a filter; null for never. A string is refused. `seconds` of zero or less means that the filter has ended. */
export const filterEnd = (seconds: number | string | null, now: number): Date | null => {
  const given = integerOf('expires_in', seconds)
  if (given === null) return null
  if (Math.abs(given) > MAX_S) throw invalidField('Expires in is too far in the future')
  return new Date(now + given * 1_000)
}

/** Keyword as stored. `of`: start of the error message, `Keyword` or `Keywords keyword`. */
export const filterKeyword = (typed: string | null | undefined, of = 'Keyword'): string => {
  const keyword = (typed ?? '').trim()
  const max = limits.accounts.filterKeywordCharacters
  if (keyword === '') throw invalidField(errorText("{field} can't be blank", { field: fieldText(of) }))
  if ([...keyword].length > max)
    throw invalidField(
      errorText('{field} is too long (maximum is {most} characters)', { field: fieldText(of), most: max }),
    )
  return keyword
}

/** Throws 422 if the filters of one account exceed the limits. */
export const checkFilterBounds = (kept: { filters: number; entries: number; characters: number }): void => {
  if (kept.filters > FILTER_BOUNDS.filters) throw invalidField('You have reached the maximum number of filters')
  if (kept.entries > FILTER_BOUNDS.entries || kept.characters > FILTER_BOUNDS.characters)
    throw invalidField('You have reached the maximum number of filter keywords')
}

/** One item of `keywords_attributes`. */
export interface KeywordAttributes {
  id?: string | null | undefined
  keyword?: string | null | undefined
  whole_word?: boolean | undefined
  _destroy?: boolean | undefined
}

export interface KeywordChanges {
  added: { keyword: string; whole_word: boolean }[]
  /** Changes of existing keywords by id. Absent fields stay unchanged. */
  changed: { id: string; keyword?: string; whole_word?: boolean }[]
  removed: string[]
}

/** Sorts keyword attributes into added, changed and removed keywords. Items without id and content are ignored. */
export const keywordChanges = (items: readonly KeywordAttributes[]): KeywordChanges => {
  const changes: KeywordChanges = { added: [], changed: [], removed: [] }
  for (const item of items) {
    const { id, keyword, whole_word } = item
    if (id && item._destroy) changes.removed.push(id)
    else if (id)
      changes.changed.push({
        id,
        ...(keyword === undefined ? {} : { keyword: filterKeyword(keyword, 'Keywords keyword') }),
        ...(whole_word === undefined ? {} : { whole_word }),
      })
    else if (!item._destroy && (keyword || whole_word))
      changes.added.push({ keyword: filterKeyword(keyword, 'Keywords keyword'), whole_word: whole_word ?? true })
  }
  return changes
}

/** Changes to a filter by a request of API version 1. */
export interface V1Change {
  context?: FilterContext[]
  expires_at?: Date | null
  irreversible?: boolean
}

/** Fields of a filter that change; null if none. `blur` stays unless the request sets `irreversible`. */
export const changedByV1 = (
  filter: { context: readonly FilterContext[]; action: FilterAction; expires_at: Date | null },
  change: V1Change,
): Partial<{ context: FilterContext[]; action: FilterAction; expires_at: Date | null }> | null => {
  const { context, expires_at, irreversible } = change
  const isSame = context && [...context].sort().join() === [...filter.context].sort().join()
  const hides = filter.action === 'hide'
  const changed = {
    ...(context && !isSame ? { context } : {}),
    ...(expires_at !== undefined && expires_at?.getTime() !== filter.expires_at?.getTime() ? { expires_at } : {}),
    ...(irreversible !== undefined && irreversible !== hides
      ? { action: irreversible ? ('hide' as const) : ('warn' as const) }
      : {}),
  }
  return Object.keys(changed).length ? changed : null
}
