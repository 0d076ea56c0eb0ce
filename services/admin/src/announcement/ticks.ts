/** Publishes announcements that are due, and unpublishes those that have ended (S-080). */

import { tick } from '../handlers.js'
import { sendAnnouncements, sendRemoval } from './notify.js'
import { publishDue, unpublishEnded } from './store.js'

const EVERY_MS = 60_000

export const publishAnnouncements = tick('admin.publish-announcements', EVERY_MS, async (ctx) => {
  const now = ctx.clock.date()
  const { due, ended } = await ctx.db.tx(async (tx) => ({
    due: await publishDue(tx, now),
    ended: await unpublishEnded(tx, now),
  }))
  const gone = new Set(ended.map(({ id }) => id))
  await sendAnnouncements(
    ctx,
    due.filter((row) => !gone.has(row.id)),
  )
  for (const id of gone) sendRemoval(ctx, id)
})
