/** Handlers of ungrouped notifications: list, show, count, dismiss, clear. */
import { fail, notFound, pageReply } from '@murmuration/contracts/kit'
import {
  clearNotifications,
  dismissNotification,
  listNotifications,
  notificationCards,
  showNotification,
  unreadCount,
} from '@murmuration/contracts/notifications'
import { endsOf, newestFirst } from '@murmuration/db'
import { clearAll, dismissOne } from '../candidate/index.js'
import { narrowingOf } from '../core/narrowing.rules.js'
import { countNewer, notificationPage, notificationsByIds } from '../core/notification.store.js'
import { renderNotifications } from '../core/render.js'
import { handle } from '../handlers.js'
import { markersOf } from '../marker/index.js'

/** The viewer's notifications, newest first. */
export const list = handle(listNotifications, async (ctx, viewer, input) => {
  const rows = newestFirst(await notificationPage(ctx.db, viewer.id, narrowingOf(input), input), input)
  const texts = await renderNotifications(ctx, viewer.id, rows, input.supported_types)
  const ids = rows.map((row) => row.id)
  return pageReply(listNotifications.output, [...texts.values()], endsOf(ids, input))
})

/** Returns one notification of the viewer. */
export const show = handle(showNotification, async (ctx, viewer, { id, supported_types }) => {
  const rows = await notificationsByIds(ctx.db, viewer.id, [id])
  const text = (await renderNotifications(ctx, viewer.id, rows, supported_types)).get(id)
  if (text === undefined) throw notFound()
  return text
})

/** Number of notifications newer than the marker of the viewer, counted up to `limit`. */
export const unread = handle(unreadCount, async (ctx, viewer, input) => {
  const [marker] = await markersOf(ctx.db, viewer.id, ['notifications'])
  const count = await countNewer(ctx.db, viewer.id, narrowingOf(input), marker?.last_read_id ?? '0', input.limit)
  return { count }
})

/** Removes one notification of the viewer. */
export const dismiss = handle(dismissNotification, async (ctx, viewer, { id }) => {
  if ((await ctx.db.tx((tx) => dismissOne(tx, viewer.id, id))) === 0) throw notFound()
  return {}
})

/** Removes all notifications of the viewer. */
export const clear = handle(clearNotifications, async (ctx, viewer) => {
  await clearAll(ctx, viewer.id)
  return {}
})

/**
 * Returns the JSON texts of notifications by id, for an open stream of the recipient. The streaming service proves the
 * stream with a grant.
 */
export const cards = handle(notificationCards, async (ctx, _viewer, { recipient, ids, grant }) => {
  if (!ctx.streamGrants.allows(recipient, grant ?? '')) throw fail('forbidden', 'This action is not allowed')
  return renderNotifications(ctx, recipient, await notificationsByIds(ctx.db, recipient, ids))
})
