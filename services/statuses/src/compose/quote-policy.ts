/** Changes the quote policy of a status without a new version. */
import { fail } from '@murmuration/contracts/kit'
import type { Context } from '../context.js'
import { refreshed } from '../core/quote/quote.js'
import { quotePolicyOf } from '../core/quote/rules.js'
import { type StatusRow, setQuotePolicy } from '../core/status/store.js'
import { visibilityOf } from '../core/visibility/rules.js'
import { quotePolicy } from './compose.js'

/** Stored number of the policy that a request names for a local status. Throws 422 if it names none or an unknown one. */
export const requestedPolicy = (row: StatusRow, given: string | null | undefined): number => {
  if (!given) throw fail('unprocessable', 'Record invalid')
  return quotePolicy(given, quotePolicyOf(row.quote_policy), visibilityOf(row.visibility))
}

/** Changes the quote policy of a local status. If the given policy is the current one, nothing changes. */
export const changePolicy = async (ctx: Context, row: StatusRow, policy: number): Promise<void> => {
  await ctx.db.tx(async (tx) => {
    if ((await setQuotePolicy(tx, row.id, policy)) > 0) await refreshed(ctx, tx, row)
  })
}
