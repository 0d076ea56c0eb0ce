/**
 * Counts new public statuses as uses of their hashtags, and public boosts as shares of the page that the boosted status
 * links.
 */
import { statusCreated } from '@murmuration/contracts/statuses'
import { timeOfId, unprocessed } from '@murmuration/kernel'
import { countShares } from '../core/preview-card/usage.store.js'
import { dayOfUse } from '../core/tag/rules.js'
import { reactAll } from '../handlers.js'
import { countUses } from './usage.store.js'

export const onStatusCreated = reactAll(statusCreated, 'on-status-created', async (ctx, events) => {
  const now = ctx.clock.now()
  const counting = events.filter(
    (e) =>
      e.visibility === 'public' && (e.reblogOf !== null || e.tags.length > 0) && dayOfUse(timeOfId(e.id), now) !== null,
  )
  if (counting.length === 0) return
  await ctx.db.tx(async (tx) => {
    const fresh = (await unprocessed(tx, counting)).map((e) => ({
      ...e,
      day: dayOfUse(timeOfId(e.id), now) as string,
      account: e.author,
    }))
    await countUses(
      tx,
      fresh.filter((e) => e.reblogOf === null).map((e) => ({ ...e, names: e.tags })),
    )
    await countShares(
      tx,
      fresh.flatMap((e) => (e.reblogOf === null ? [] : [{ ...e, status: e.reblogOf }])),
    )
  })
})
