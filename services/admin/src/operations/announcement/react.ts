/** Puts an emoji under an announcement. */
import { announcementReact } from '@murmuration/contracts/admin'
import { invalidField, notFound } from '@murmuration/contracts/kit'
import { tellReaction } from '../../changes/tell-everyone.js'
import { checkReactionRoom, unicodeEmoji, unknownEmoji } from '../../domain/announcement.js'
import { handle } from '../../doors.js'
import { addReaction, lockAnnouncement, reactionsTo } from '../../store/announcement.js'

export const react = handle(announcementReact, async (ctx, viewer, { id, name }) => {
  const unicode = unicodeEmoji(name)
  if (unicode === null) throw unknownEmoji()
  const emoji = { name: unicode, url: null, static_url: null }
  await ctx.db.tx(async (tx) => {
    const announcement = await lockAnnouncement(tx, id)
    if (!announcement?.published_at) throw notFound()
    const there = await reactionsTo(tx, [id], viewer.id)
    checkReactionRoom(
      there.map((one) => one.name),
      emoji.name,
    )
    if ((await addReaction(tx, id, viewer.id, emoji, ctx.clock.date())) === 0) throw invalidField('Duplicate record')
  })
  await tellReaction(ctx, id, emoji)
  return {}
})
