/** Handlers of conversations of direct statuses. */
import { fail, notFound, pageReply } from '@murmuration/contracts/kit'
import {
  conversationCards,
  directTimeline,
  listConversations,
  readConversation,
  removeConversation,
  unreadConversation,
} from '@murmuration/contracts/statuses'
import { endsOf } from '@murmuration/db'
import { statusesAt, timelinePage } from '../core/render/pages.js'
import { statusText } from '../core/render/present.js'
import { fitsPlace, isAllowed, isLoaded } from '../core/visibility/shown.js'
import { handle } from '../handlers.js'
import { publishConversations } from './assign.js'
import { conversationText, conversationTexts } from './present.js'
import { conversationPage, conversationsByIds, deleteConversation, directIds, markConversation } from './store.js'

/** Direct conversations of the viewer, sorted by their last status. */
export const list = handle(listConversations, async (ctx, viewer, page) => {
  const rows = await conversationPage(ctx.db, viewer.id, page)
  const texts = await conversationTexts(ctx, viewer.id, rows)
  const ends = endsOf(
    rows.map((row) => row.last_status_id),
    page,
  )
  return pageReply(listConversations.output, [...texts.values()], ends)
})

/**
 * Conversation JSON by id, for the stream of the account that owns the conversations. Throws 403 if the stream grant of
 * the account is not valid.
 */
export const byIds = handle(conversationCards, async (ctx, _viewer, { viewer, ids, grant }) => {
  if (!ctx.streamGrants.allows(viewer, grant ?? '')) throw fail('forbidden', 'This action is not allowed')
  return conversationTexts(ctx, viewer, await conversationsByIds(ctx.db, viewer, ids))
})

/** Marks a conversation of the viewer as read, and updates the viewer's open streams. */
export const read = handle(readConversation, async (ctx, viewer, { id }) => {
  const row = await ctx.db.tx((tx) => markConversation(tx, viewer.id, id, false))
  if (!row) throw notFound()
  await publishConversations(ctx, [row])
  return conversationText(ctx, row)
})

/** Marks a conversation of the viewer as unread, and updates the viewer's open streams. */
export const unread = handle(unreadConversation, async (ctx, viewer, { id }) => {
  const row = await ctx.db.tx((tx) => markConversation(tx, viewer.id, id, true))
  if (!row) throw notFound()
  await publishConversations(ctx, [row])
  return conversationText(ctx, row)
})

/** Deletes a conversation of the viewer. A later status in it creates it again. */
export const remove = handle(removeConversation, async (ctx, viewer, { id }) => {
  if ((await ctx.db.tx((tx) => deleteConversation(tx, viewer.id, id))) === 0) throw notFound()
  return {}
})

/** Direct statuses of the viewer's conversations, for clients that do not know conversations. */
export const direct = handle(directTimeline, (ctx, viewer, page) =>
  timelinePage(ctx, viewer.id, page, {
    output: directTimeline.output,
    skeleton: (cursor) => directIds(ctx.db, viewer.id, cursor),
    hydrate: statusesAt('direct'),
    rules: [isLoaded, isAllowed, fitsPlace],
    present: statusText,
  }),
)
