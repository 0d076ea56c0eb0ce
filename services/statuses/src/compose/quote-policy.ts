/** Changes the quote policy of a status without a new version. */
import { fail } from '@murmuration/contracts/kit'
import type { Context } from '../context.js'
import { refreshed } from '../core/quote/quote.js'
import { quotePolicyOf } from '../core/quote/rules.js'
import { type StatusRow, setQuotePolicy } from '../core/status/store.js'
import { visibilityOf } from '../core/visibility/rules.js'
import { quotePolicy } from './compose.js'

/**
 * Changes the quote policy of a local status. Throws 422 if no policy is given. If the given policy is the current one,
 * nothing changes.
 */
export const changePolicy = async (ctx: Context, row: StatusRow, given: string | null | undefined): Promise<void> => {
  if (!given) throw fail('unprocessable', 'Record invalid')
  const policy = quotePolicy(given, quotePolicyOf(row.quote_policy), visibilityOf(row.visibility))
  await ctx.db.tx(async (tx) => {
    if ((await setQuotePolicy(tx, row.id, policy)) > 0) await refreshed(ctx, tx, row)
  })
}
