/** Removes the reaction of the viewer from an announcement. */
import { announcementUnreact } from '@murmuration/contracts/admin'
import { notFound } from '@murmuration/contracts/kit'
import { tellReaction } from '../../changes/tell-everyone.js'
import { unicodeEmoji } from '../../domain/announcement.js'
import { handle } from '../../doors.js'
import { lockAnnouncement, takeReaction } from '../../store/announcement.js'

export const unreact = handle(announcementUnreact, async (ctx, viewer, { id, name }) => {
  const emoji = await ctx.db.tx(async (tx) => {
    const announcement = await lockAnnouncement(tx, id)
    const taken = announcement?.published_at ? await takeReaction(tx, id, viewer.id, unicodeEmoji(name) ?? name) : null
    if (!taken) throw notFound()
    return taken
  })
  await tellReaction(ctx, id, emoji)
  return {}
})
