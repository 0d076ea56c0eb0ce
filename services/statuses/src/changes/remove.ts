/** Deleting a status or boost with everything that counts or points at it, in the caller’s transaction. */
import { statusDeleted, withdraw } from '@murmuration/contracts/statuses'
import type { Tx } from '@murmuration/db'
import type { Context } from '../context.js'
import { visibilityOf } from '../domain/visibility.js'
import { addTo } from '../store/count.js'
import { deletePinsOf } from '../store/pin.js'
import { deleteReblog } from '../store/reblog.js'
import { isLocal, markDeleted, type StatusRow } from '../store/status.js'
import { removeTags } from '../store/tag.js'
import { countsAsReply } from './status.js'

/**
 * Marks as deleted, counts back, announces, and sends the withdrawal from feeds on its way. The caller holds the row
 * for change. Boosts of the status follow in a reaction, because there may be many.
 */
export const removeStatus = async (ctx: Context, tx: Tx, row: StatusRow): Promise<void> => {
  const reblogOfLocal = row.reblog_of_id !== null && (await isLocal(tx, row.reblog_of_id))
  await markDeleted(tx, [row.id], ctx.clock.date())
  await removeTags(tx, [row.id])
  await deletePinsOf(tx, [row.id])
  if (row.in_reply_to_id !== null && countsAsReply(row)) await addTo(tx, 'replies', row.in_reply_to_id, -1)
  if (row.reblog_of_id !== null && (await deleteReblog(tx, row.author_id, row.reblog_of_id)))
    await addTo(tx, 'reblogs', row.reblog_of_id, -1)
  await ctx.announce(tx, statusDeleted, {
    id: row.id,
    author: row.author_id,
    local: row.local,
    visibility: visibilityOf(row.visibility),
    reblogOf: row.reblog_of_id,
    reblogOfAuthor: row.reblog_of_author_id,
    reblogOfLocal,
    uri: row.uri,
    mentions: row.mentions.filter((one) => !one.silent).map((one) => one.id),
    tags: row.tags,
    hasMedia: row.has_media,
    inReplyTo: row.in_reply_to_id,
    createdAt: row.created_at.toISOString(),
  })
  await ctx.queue(tx, withdraw, { status: row.id, author: row.author_id, reblogOf: row.reblog_of_id })
}
