/** Removes an announcement. */
import { announcementRemove } from '@murmuration/contracts/admin'
import { notFound } from '@murmuration/contracts/kit'
import { record } from '../../audit-log/index.js'
import { tellGone } from '../../changes/tell-everyone.js'
import { handle } from '../../doors.js'
import { lockAnnouncement, removeAnnouncement } from '../../store/announcement.js'
import { storedAnnouncement } from '../../views/announcement.js'

export const remove = handle(announcementRemove, async (ctx, viewer, { id }) => {
  const gone = await ctx.db.tx(async (tx) => {
    const gone = await lockAnnouncement(tx, id)
    if (!gone) throw notFound()
    await removeAnnouncement(tx, id, ctx.clock.date())
    const before = storedAnnouncement(gone)
    await record(ctx, tx, viewer, { action: 'destroy_announcement', targetId: id, target: gone.text, before })
    return gone
  })
  if (gone.published_at) tellGone(ctx, id)
  return {}
})
