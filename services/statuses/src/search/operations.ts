/** Handler of search. A URL resolves to one item; other text is searched among accounts, statuses and hashtags. */
import { postingDefaults } from '@murmuration/contracts/accounts'
import { fail, jsonArray, missingParameter } from '@murmuration/contracts/kit'
import { search } from '@murmuration/contracts/statuses'
import type { Context } from '../context.js'
import { handle } from '../handlers.js'
import { atAddress, foundAccounts, foundStatuses, foundTags, joined, namedAuthors } from './find.js'
import { searchQuery } from './rules.js'

/** Queries with fewer characters return only the exact account to anonymous viewers (S-141, S-200). */
const SHORT = 5

const refuseVisitors = (input: { resolve?: boolean | undefined; offset?: number | undefined }): void => {
  if (input.resolve)
    throw fail(
      'unauthenticated',
      'Search queries that resolve remote resources are not supported without authentication',
    )
  if (input.offset !== undefined)
    throw fail('unauthenticated', 'Search queries pagination is not supported without authentication')
}

/** The query as an address with scheme and host in lower case; null for other queries. Keyboards of phones write `Https://`. */
const webAddressIn = (q: string): string | null =>
  /^https?:\/\/\S+$/i.test(q) ? q.replace(/^[^/]+\/\/[^/?#]*/, (origin) => origin.toLowerCase()) : null

/** Time zone of the viewer, in which the days of a query are read; null for UTC. */
const timeZoneOf = async (ctx: Context, viewerId: string): Promise<string | null> =>
  (await ctx.call(postingDefaults, { id: viewerId })).time_zone ?? null

export const find = handle(search, async (ctx, viewer, input) => {
  const q = input.q.trim()
  if (q === '') throw missingParameter('q')
  if (input.limit < 0 || (input.offset ?? 0) < 0)
    throw fail('invalid', 'Pagination values for `offset` and `limit` must be positive')
  if (!viewer) refuseVisitors(input)
  const viewerId = viewer?.id ?? null
  const wants = (type: string) => !input.type || input.type === type
  const slice = { viewerId, limit: input.limit, offset: input.type ? (input.offset ?? 0) : 0 }
  const address = webAddressIn(q)
  if (viewerId !== null && input.resolve && address !== null) {
    // The one item at an address is the whole first page.
    if (slice.limit === 0 || slice.offset > 0) return joined({})
    const found = await atAddress(ctx, viewerId, address)
    if (!found) return joined({})
    if ('collection' in found) return joined(input.type ? {} : { collections: jsonArray([found.collection]) })
    if ('status' in found) return joined(wants('statuses') ? { statuses: jsonArray([found.status]) } : {})
    return joined(wants('accounts') ? { accounts: jsonArray([found.account]) } : {})
  }
  // Operators are read only in a search for statuses. The name of an account may look like an operator.
  const parsed = wants('statuses') ? searchQuery(q) : null
  const isDated = parsed !== null && parsed.spans.length > 0 && viewerId !== null
  const query = isDated ? searchQuery(q, await timeZoneOf(ctx, viewerId)) : parsed
  const authors = query === null ? [] : await namedAuthors(ctx, viewerId, query.from, input.account_id)
  const exact = viewerId === null && [...q].length < SHORT
  const [accounts, statuses, hashtags] = await Promise.all([
    wants('accounts')
      ? foundAccounts(ctx, q, slice, {
          exact,
          resolve: input.resolve === true,
          following: input.following === true,
        })
      : '[]',
    query !== null && viewerId !== null
      ? foundStatuses(ctx, query, authors, {
          ...slice,
          viewerId,
          maxId: input.max_id ?? null,
          minId: input.min_id ?? null,
        })
      : '[]',
    wants('hashtags') ? foundTags(ctx, q, slice, { reviewed: input.exclude_unreviewed === true }) : '[]',
  ])
  return joined({ accounts, statuses, hashtags })
})
