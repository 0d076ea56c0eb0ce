/** Deletes statuses and boosts, and everything that counts or refers to them, in the caller's transaction. */
import { assignConversation, fanOutRemoval, removeReblogs, statusDeleted } from '@murmuration/contracts/statuses'
import type { Tx } from '@murmuration/db'
import type { Context } from '../context.js'
import { deleteQuotesOf } from '../core/quote/store.js'
import { deleteReblogs } from '../core/reblog/store.js'
import { addToMany } from '../core/status/count.store.js'
import { countsAsReply } from '../core/status/new-status.js'
import { deletePinsOf } from '../core/status/pin.store.js'
import { unindexSearchText } from '../core/status/search.store.js'
import { localAmong, markDeleted, type StatusRow } from '../core/status/store.js'
import { uncountFeatured } from '../core/tag/featured.store.js'
import { removeTags } from '../core/tag/store.js'
import { visibilityOf } from '../core/visibility/rules.js'

/**
 * Marks statuses as deleted and updates counters, without events. For deleted accounts, whose removal is announced as a
 * whole.
 */
export const removeQuietly = async (ctx: Context, tx: Tx, rows: readonly StatusRow[]): Promise<void> => {
  const ids = rows.map((row) => row.id)
  await markDeleted(tx, ids, ctx.clock.date())
  await unindexSearchText(tx, ids)
  await removeTags(tx, ids)
  await deletePinsOf(tx, ids)
  const open = rows.filter((row) => row.visibility <= 1)
  await uncountFeatured(
    tx,
    open.flatMap((row) => row.tags.map((tag) => ({ author: row.author_id, tag }))),
  )
  const parents = rows.flatMap((row) => (row.in_reply_to_id !== null && countsAsReply(row) ? [row.in_reply_to_id] : []))
  await addToMany(tx, 'replies', parents, -1)
  await addToMany(tx, 'reblogs', await deleteReblogs(tx, ids), -1)
  const quoting = rows.filter((row) => row.has_quote)
  const counted = quoting.filter((row) => row.held === null).map((row) => row.id)
  if (counted.length) await addToMany(tx, 'quotes', await deleteQuotesOf(tx, counted), -1)
  if (counted.length < quoting.length)
    await deleteQuotesOf(
      tx,
      quoting.map((row) => row.id),
    )
  const originals = rows.filter((row) => row.reblog_of_id === null)
  await ctx.queue(tx, removeReblogs, ...originals.map((row) => ({ status: row.id })))
  const direct = rows.filter((row) => visibilityOf(row.visibility) === 'direct')
  await ctx.queue(tx, assignConversation, ...direct.map((row) => ({ status: row.id })))
}

/**
 * Marks statuses as deleted, updates counters, announces the deletions, and queues their removal from feeds. The caller
 * has locked the rows for change. A job deletes the boosts, because there may be many.
 */
export const removeStatus = async (ctx: Context, tx: Tx, ...rows: readonly StatusRow[]): Promise<void> => {
  if (rows.length === 0) return
  await removeQuietly(ctx, tx, rows)
  await announceRemoved(ctx, tx, rows)
  await ctx.queue(
    tx,
    fanOutRemoval,
    ...rows.map((row) => ({ status: row.id, author: row.author_id, reblogOf: row.reblog_of_id })),
  )
}

/** Announces to other services that statuses were deleted. */
export const announceRemoved = async (ctx: Context, tx: Tx, rows: readonly StatusRow[]): Promise<void> => {
  const locals = await localAmong(
    tx,
    rows.flatMap((row) => row.reblog_of_id ?? []),
  )
  await ctx.announce(
    tx,
    statusDeleted,
    ...rows.map((row) => ({
      id: row.id,
      author: row.author_id,
      local: row.local,
      // A held reply that was never released is announced with its held visibility, because it was never counted.
      visibility: visibilityOf(row.held?.announced ? row.held.visibility : row.visibility),
      reblogOf: row.reblog_of_id,
      reblogOfAuthor: row.reblog_of_author_id,
      reblogOfLocal: locals.has(row.reblog_of_id ?? ''),
      uri: row.uri,
      mentions: row.mentions.filter((one) => !one.silent).map((one) => one.id),
      tags: row.tags,
      hasMedia: row.has_media,
      inReplyTo: row.in_reply_to_id,
      createdAt: row.created_at.toISOString(),
    })),
  )
}
