/** A public status counts as a use of its hashtags on its day, and a public boost as a share of the page that the original shows. */
import { statusCreated } from '@murmuration/contracts/statuses'
import { once, timeOfId } from '@murmuration/kernel'
import { dayOfUse } from '../domain/tag.js'
import { react } from '../doors.js'
import { countShare } from '../store/preview-usage.js'
import { countUses } from '../store/tag-usage.js'

export const onStatusCreated = react(statusCreated, 'on-status-created', async (ctx, e) => {
  if (e.visibility !== 'public' || (e.reblogOf === null && e.tags.length === 0)) return
  const day = dayOfUse(timeOfId(e.id), ctx.clock.now())
  if (day === null) return
  await ctx.db.tx((tx) =>
    once(tx, e, () =>
      e.reblogOf === null
        ? countUses(tx, { day, account: e.author, names: e.tags })
        : countShare(tx, { day, account: e.author, status: e.reblogOf }),
    ),
  )
})
