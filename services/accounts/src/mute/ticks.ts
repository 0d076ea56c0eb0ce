/**
 * Tick that deletes expired mutes and announces their end, so that feeds contain the muted accounts again. Readers
 * ignore an expired mute even before its deletion.
 */
import { tick } from '../handlers.js'
import { announceMuteEnds } from './end.js'
import { deleteExpiredMutes, isMuteExpired } from './store.js'

export const expireMutes = tick('accounts.expire-mutes', 5_000, async (ctx) => {
  if (!(await isMuteExpired(ctx.db, ctx.clock.date()))) return
  await ctx.db.tx(async (tx) => {
    const gone = await deleteExpiredMutes(tx, ctx.clock.date())
    await announceMuteEnds(ctx, tx, gone)
  })
})
