/** Keeps the list of accounts that many people here know of, which suggestions are taken from. */
import { tick } from '../handlers.js'
import { recommendAnew } from './store.js'

/** More than are ever shown, because those whom somebody follows already are left out. */
const COUNT = 400

export const recommendAccounts = tick('accounts.recommend-accounts', 600_000, async (ctx) => {
  await ctx.db.tx((tx) => recommendAnew(tx, COUNT))
})
