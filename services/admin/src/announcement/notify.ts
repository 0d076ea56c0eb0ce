/** Sends events to the open connections of all signed-in users. Events to open connections may be lost. */
import type { AnnouncementReactionEvent } from '@murmuration/contracts/entities'
import { publishCoreMessage } from '@murmuration/kernel'
import type { Context } from '../context.js'
import { renderAnnouncements } from './show.js'
import { type AnnouncementRow, type ReactionEmoji, reactionsTo } from './store.js'

const publish = (ctx: Pick<Context, 'nc'>, message: { e: string; payload?: string; id?: string }): void => {
  publishCoreMessage(ctx.nc, 'live.everyone.announcement', JSON.stringify(message))
}

/** Sends new or changed announcements to open streaming connections. */
export const sendAnnouncements = async (ctx: Context, rows: readonly AnnouncementRow[]): Promise<void> => {
  for (const payload of await renderAnnouncements(ctx, null, rows)) publish(ctx, { e: 'announcement', payload })
}

/** Sends the removal of an announcement; its emoji reactions are not mentioned (S-182). */
export const sendRemoval = (ctx: Pick<Context, 'nc'>, id: string): void =>
  publish(ctx, { e: 'announcement.delete', id })

/** Sends the current number of emoji reactions with this emoji to open streaming connections. */
export const sendReaction = async (ctx: Context, announcementId: string, emoji: ReactionEmoji): Promise<void> => {
  const found = (await reactionsTo(ctx.db, [announcementId], null)).find(({ name }) => name === emoji.name)
  const payload: AnnouncementReactionEvent = {
    name: emoji.name,
    count: found?.count ?? 0,
    announcement_id: announcementId,
    ...(emoji.url && emoji.static_url ? { url: emoji.url, static_url: emoji.static_url } : {}),
  }
  publish(ctx, { e: 'announcement.reaction', payload: JSON.stringify(payload) })
}
