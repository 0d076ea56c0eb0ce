/** Takes away mutes that ran out and tells of it, so that feeds come back; readers see them gone already. */
import { muteRemoved } from '@murmuration/contracts/accounts'
import { tick } from '../handlers.js'
import { deleteExpiredMutes } from './store.js'

export const expireMutes = tick('accounts.expire-mutes', 5_000, async (ctx) => {
  await ctx.db.tx(async (tx) => {
    const gone = await deleteExpiredMutes(tx, ctx.clock.date())
    await ctx.announce(tx, muteRemoved, ...gone)
  })
})
