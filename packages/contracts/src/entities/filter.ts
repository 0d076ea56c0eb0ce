/** Schemas of filters of a user in both API versions, and their matches on a status. */
import { z } from 'zod'
import { Id, Timestamp } from './primitive.js'

export const FilterContext = z
  .enum(['home', 'notifications', 'public', 'thread', 'account'])
  .meta({ id: 'FilterContext', description: 'A place where a filter applies.' })
export type FilterContext = z.infer<typeof FilterContext>

export const FilterAction = z
  .enum(['warn', 'hide', 'blur'])
  .meta({ id: 'FilterAction', description: 'What a client does with a status that a filter matches.' })
export type FilterAction = z.infer<typeof FilterAction>

export const FilterKeyword = z
  .strictObject({ id: Id, keyword: z.string().min(1), whole_word: z.boolean() })
  .meta({ id: 'FilterKeyword', description: 'A word or phrase of a filter.' })
export type FilterKeyword = z.infer<typeof FilterKeyword>

export const FilterStatus = z
  .strictObject({ id: Id, status_id: Id })
  .meta({ id: 'FilterStatus', description: 'A single status that a filter covers.' })
export type FilterStatus = z.infer<typeof FilterStatus>

const summaryShape = {
  id: Id,
  title: z.string().min(1),
  context: z.array(FilterContext).min(1),
  expires_at: Timestamp.nullable(),
  filter_action: FilterAction,
}

/** A filter without its keywords and statuses, as part of a match. */
export const FilterSummary = z
  .strictObject(summaryShape)
  .meta({ id: 'FilterSummary', description: 'A filter without its keywords and statuses.' })
export type FilterSummary = z.infer<typeof FilterSummary>

export const Filter = z
  .strictObject({ ...summaryShape, keywords: z.array(FilterKeyword), statuses: z.array(FilterStatus) })
  .meta({ id: 'Filter', description: 'A filter with its keywords and statuses.' })
export type Filter = z.infer<typeof Filter>

/** A match of a filter: the keywords found, or the ids of filtered statuses. The other member is null. */
export const FilterResult = z
  .strictObject({
    filter: FilterSummary,
    keyword_matches: z.array(z.string()).nullable(),
    status_matches: z.array(Id).nullable(),
  })
  .meta({ id: 'FilterResult', description: 'A filter that matched a status, with the matches.' })
export type FilterResult = z.infer<typeof FilterResult>

/**
 * Filter of API v1, with one keyword. `id` is the id of the keyword; `irreversible` means that matching statuses are
 * removed.
 */
export const V1Filter = z
  .strictObject({
    id: Id,
    phrase: z.string().min(1),
    context: z.array(FilterContext).min(1),
    whole_word: z.boolean(),
    expires_at: Timestamp.nullable(),
    irreversible: z.boolean(),
  })
  .meta({ id: 'V1Filter', description: 'One keyword of a filter, in the form of API v1.' })
export type V1Filter = z.infer<typeof V1Filter>
