/** Puts an emoji under an announcement. */
import { announcementReact } from '@murmuration/contracts/admin'
import { fail, notFound } from '@murmuration/contracts/kit'
import { emojiFind } from '@murmuration/contracts/media'
import { tellReaction } from '../../changes/tell-everyone.js'
import type { Context } from '../../context.js'
import { checkReactionRoom, unicodeEmoji, unknownEmoji } from '../../domain/announcement.js'
import { handle } from '../../doors.js'
import { addReaction, lockAnnouncement, published, type ReactionEmoji, reactionsTo } from '../../store/announcement.js'

/** A unicode emoji, or one of this server by its shortcode. */
const emojiOf = async (ctx: Pick<Context, 'call'>, name: string): Promise<ReactionEmoji | null> => {
  const unicode = unicodeEmoji(name)
  if (unicode !== null) return { name: unicode, url: null, static_url: null }
  const [custom] = (await ctx.call(emojiFind, { shortcodes: [name] })).emojis
  return custom ? { name, url: custom.url, static_url: custom.static_url } : null
}

export const react = handle(announcementReact, async (ctx, viewer, { id, name }) => {
  if (!(await published(ctx.db, id))) throw notFound()
  const emoji = await emojiOf(ctx, name)
  if (emoji === null) throw unknownEmoji()
  await ctx.db.tx(async (tx) => {
    const announcement = await lockAnnouncement(tx, id)
    if (!announcement?.published_at) throw notFound()
    const there = await reactionsTo(tx, [id], viewer.id)
    checkReactionRoom(
      there.map((one) => one.name),
      emoji.name,
    )
    if ((await addReaction(tx, id, viewer.id, emoji, ctx.clock.date())) === 0)
      throw fail('unprocessable', 'Duplicate record')
  })
  await tellReaction(ctx, id, emoji)
  return {}
})
