/** Operations on announcements for all users: list, dismiss, react. */
import {
  dismissAnnouncement,
  listAnnouncements,
  reactToAnnouncement,
  unreactToAnnouncement,
} from '@murmuration/contracts/admin'
import { fail, jsonArray, notFound, reply } from '@murmuration/contracts/kit'
import { findEmojis } from '@murmuration/contracts/media'
import type { Context } from '../context.js'
import { handle } from '../handlers.js'
import { sendReaction } from './notify.js'
import { checkReactionRoom, unicodeEmoji, unknownEmoji } from './rules.js'
import { renderAnnouncements } from './show.js'
import {
  addReaction,
  lockAnnouncement,
  dismiss as noteDismissal,
  published,
  publishedFor,
  type ReactionEmoji,
  reactionsTo,
  takeReaction,
} from './store.js'

/** Lists published announcements for the viewer. */
export const list = handle(listAnnouncements, async (ctx, viewer, { with_dismissed }) => {
  const rows = (await publishedFor(ctx.db, viewer.id)).filter((row) => with_dismissed || !row.read)
  return reply(jsonArray(await renderAnnouncements(ctx, viewer.id, rows)))
})

/** Marks an announcement as read by the viewer. */
export const dismiss = handle(dismissAnnouncement, (ctx, viewer, { id }) =>
  ctx.db.tx(async (tx) => {
    if (!(await published(tx, id))) throw notFound()
    await noteDismissal(tx, id, viewer.id)
    return {}
  }),
)

/** A Unicode emoji, or a custom emoji of this server by its shortcode; null for other names. */
const emojiOf = async (ctx: Pick<Context, 'call'>, name: string): Promise<ReactionEmoji | null> => {
  const unicode = unicodeEmoji(name)
  if (unicode !== null) return { name: unicode, url: null, static_url: null }
  const [custom] = (await ctx.call(findEmojis, { shortcodes: [name] })).emojis
  return custom ? { name, url: custom.url, static_url: custom.static_url } : null
}

export const react = handle(reactToAnnouncement, async (ctx, viewer, { id, name }) => {
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
  await sendReaction(ctx, id, emoji)
  return {}
})

/** Removes the reaction of the viewer from an announcement. */
export const unreact = handle(unreactToAnnouncement, async (ctx, viewer, { id, name }) => {
  const emoji = await ctx.db.tx(async (tx) => {
    const announcement = await lockAnnouncement(tx, id)
    const taken = announcement?.published_at ? await takeReaction(tx, id, viewer.id, unicodeEmoji(name) ?? name) : null
    if (!taken) throw notFound()
    return taken
  })
  await sendReaction(ctx, id, emoji)
  return {}
})
