/** Tick that updates the list of the most followed accounts, a source of suggestions. */
import { tick } from '../handlers.js'
import { replaceRecommended } from './store.js'

/**
 * Number of accounts in the list of the most followed accounts. A suggestion page shows fewer, because accounts that
 * the viewer follows already are left out.
 */
const COUNT = 400

export const recommendAccounts = tick('accounts.recommend-accounts', 600_000, async (ctx) => {
  await ctx.db.tx((tx) => replaceRecommended(tx, COUNT))
})
