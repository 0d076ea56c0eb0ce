/** Handlers of filter exports. */
import { countFilters, takeFilters } from '@murmuration/contracts/statuses'
import { handle } from '../handlers.js'
import { countFiltersOf, filtersToTake } from './file.store.js'

/** Filters per page of an export. */
const PAGE = 100

/**
 * Returns a page of an account's filters for export. Addresses of statuses that the account may no longer see are
 * included (A048).
 */
export const take = handle(takeFilters, async (ctx, _viewer, { account, after }) => {
  const rows = await filtersToTake(ctx.db, account, { after: after ?? '0', limit: PAGE })
  return {
    filters: rows.map(({ title, expires_at, context, action, keywords, uris }) => ({
      title,
      expires_at: expires_at?.toISOString() ?? null,
      context,
      action,
      keywords_attributes: keywords,
      statuses: uris,
    })),
    next: rows.length === PAGE ? (rows.at(-1)?.id ?? null) : null,
  }
})

/** Number of filters of an account. */
export const count = handle(countFilters, async (ctx, _viewer, { account }) => ({
  filters: await countFiltersOf(ctx.db, account),
}))
