/** The selection of a bulk action: ids, or the items that currently match a query. */
import { selectModeratedAccounts } from '@murmuration/contracts/accounts'
import { type BulkNoun, type createBulkAction, MAX_BULK_ITEMS } from '@murmuration/contracts/admin'
import { invalidField } from '@murmuration/contracts/kit'
import { undecidedTrends } from '@murmuration/contracts/statuses'
import type { z } from 'zod'
import { filterOfV2 } from '../account/index.js'
import type { Context } from '../context.js'

type Input = z.output<(typeof createBulkAction)['input']>
type Query = NonNullable<Input['query']>

/** Number of selected items that are read: one more than the maximum, to detect a selection that is too large. */
const LIMIT = MAX_BULK_ITEMS + 1

const TREND_KINDS = { trend_tag: 'tag', trend_link: 'link', trend_status: 'status' } as const

/** Names of the filters that the query of a bulk action sets. */
const filtersOf = (query: Query): string[] =>
  Object.entries(query).flatMap(([name, value]) =>
    value === undefined || value === null || (Array.isArray(value) && value.length === 0) ? [] : [name],
  )

/**
 * Throws 422 for a filter that the account list ignores, because the bulk action would otherwise change every account.
 */
const checkFilters = (query: Query): void => {
  if (query.permissions && query.permissions !== 'staff') throw invalidField('Permissions is not included in the list')
  if (query.username && query.username.replace(/^\s*@/, '').trim() === '') throw invalidField("Username can't be blank")
}

const matching = async (ctx: Context, noun: BulkNoun, query: Query): Promise<readonly string[]> => {
  const filters = filtersOf(query)
  if (filters.length === 0) throw invalidField("Query can't be blank")
  if (noun === 'account') {
    checkFilters(query)
    return (await ctx.call(selectModeratedAccounts, { filter: filterOfV2(query), limit: LIMIT })).ids
  }
  if (noun !== 'trend_tag' && noun !== 'trend_link' && noun !== 'trend_status')
    throw invalidField('Query selects accounts and trends only')
  if (filters.length > 1 || query.status !== 'pending') throw invalidField('Query selects pending trends only')
  return (await ctx.call(undecidedTrends, { kind: TREND_KINDS[noun], limit: LIMIT })).ids
}

/**
 * Returns the selected ids: the given ids, or the ids of the items that match the query. Throws 422 unless exactly one
 * of ids and query is given.
 */
export const selectionOf = async (
  ctx: Context,
  noun: BulkNoun,
  { ids = [], query }: Pick<Input, 'ids' | 'query'>,
): Promise<readonly string[]> => {
  if (ids.length > 0 && query) throw invalidField('Ids and query exclude each other')
  if (ids.length > 0) return ids
  if (!query) throw invalidField("Ids can't be blank")
  return matching(ctx, noun, query)
}
