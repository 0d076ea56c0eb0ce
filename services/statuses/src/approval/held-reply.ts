/**
 * Holds replies until the parent's author approves them, releases them, and holds them again. Runs in the caller's
 * transaction.
 */
import { assignConversation, checkReply, replyRequested } from '@murmuration/contracts/statuses'
import type { Tx } from '@murmuration/db'
import type { Context } from '../context.js'
import { announceQuotes, refreshed } from '../core/quote/quote.js'
import { countedQuotes, takeUnannounced } from '../core/quote/store.js'
import {
  heldBelow,
  heldWith,
  holdAgain,
  holdShown,
  insertHeld,
  MAX_WITH,
  releaseHeld,
  setNeedsApproval,
} from '../core/reply/held.store.js'
import { addToMany } from '../core/status/count.store.js'
import { announceNew, countsAsReply, type FullStatus } from '../core/status/new-status.js'
import { isRecent } from '../core/status/remote.rules.js'
import { alignVisibility } from '../core/status/search.store.js'
import { rowOf, rowsOf, type StatusRow } from '../core/status/store.js'
import { countFeatured, uncountFeatured } from '../core/tag/featured.store.js'
import { levelOf } from '../core/visibility/rules.js'

/**
 * Stores that a reply is held, and the visibility that it gets when it is released. For a local reply, announces the
 * approval request; nothing else is announced before release.
 */
export const holdReply = async (
  ctx: Context,
  tx: Tx,
  { row, held, push }: Pick<FullStatus, 'row' | 'push'> & { held: NonNullable<FullStatus['held']> },
): Promise<void> => {
  await insertHeld(tx, row.id, { ...held, push })
  const parentAuthor = row.in_reply_to_author_id
  if (row.local && held.needsApproval && parentAuthor)
    await ctx.announce(tx, replyRequested, { id: row.id, author: row.author_id, answered: parentAuthor })
}

const newStatusOf = (row: StatusRow, push: boolean) => ({
  row,
  mentions: row.mentions,
  tags: row.tags.map((name) => ({ name, display: name })),
  push,
})

/**
 * Queues the assignment to conversations of the direct replies in `rows`, because holding or showing them changes
 * conversations.
 */
const assignAgain = (ctx: Context, tx: Tx, rows: readonly Pick<StatusRow, 'id' | 'visibility'>[]): Promise<void> => {
  const direct = rows.filter((row) => row.visibility === levelOf('direct'))
  return ctx.queue(tx, assignConversation, ...direct.map((row) => ({ status: row.id })))
}

/** Maximum number of held replies below released or changed parents that are queued for a check at once. */
const MAX_BELOW = 1_000

/**
 * Queues checks of remote held replies below `parents`. `needsApproval`: true checks the replies that need their own
 * approval, false those that wait only for their parent.
 */
export const recheckBelow = async (
  ctx: Context,
  tx: Tx,
  parents: readonly string[],
  needsApproval: boolean,
): Promise<void> => {
  const waiting = await heldBelow(tx, parents, { needsApproval, limit: MAX_BELOW })
  await ctx.queue(tx, checkReply, ...waiting.map((id) => ({ status: id })))
}

/** Updates the quote counters of statuses that replies quote. A reply counts only while it is shown. */
const countQuotes = async (tx: Tx, rows: readonly Pick<StatusRow, 'id' | 'has_quote'>[], by: 1 | -1): Promise<void> => {
  const quoting = rows.filter((row) => row.has_quote).map((row) => row.id)
  await addToMany(tx, 'quotes', await countedQuotes(tx, quoting), by)
}

/**
 * Releases held replies: updates counters, and announces the replies that were never announced before. `ids` contains
 * an approved reply and the replies below it that were held only because of it.
 */
const release = async (ctx: Context, tx: Tx, ids: readonly string[]): Promise<void> => {
  const fresh = await releaseHeld(tx, ids)
  await alignVisibility(tx, ids)
  const rows = [...(await rowsOf(tx, ids)).values()]
  const open = rows.filter(countsAsReply)
  await countQuotes(tx, rows, 1)
  await addToMany(
    tx,
    'replies',
    open.flatMap((row) => row.in_reply_to_id ?? []),
    1,
  )
  await Promise.all(open.map((row) => countFeatured(tx, row.author_id, row.tags, row.created_at)))
  const now = ctx.clock.now()
  const news = rows.flatMap((row) => {
    const one = fresh.get(row.id)
    return one ? [newStatusOf(row, one.push && (row.local || isRecent(row.created_at, now)))] : []
  })
  await announceNew(ctx, tx, news)
  const known = rows.filter((row) => !fresh.has(row.id))
  const quoting = rows.filter((row) => row.has_quote).map((row) => row.id)
  const unannounced = await takeUnannounced(tx, quoting)
  await announceQuotes(ctx, tx, [
    ...news.flatMap(({ row, push }) => (push && row.has_quote ? [row] : [])),
    ...known.filter((row) => unannounced.has(row.id)),
  ])
  await Promise.all(known.map((row) => refreshed(ctx, tx, row)))
  await assignAgain(ctx, tx, known)
  if (ids.length === MAX_WITH) await recheckBelow(ctx, tx, ids, false)
}

/**
 * Records that a reply is approved. Releases a held reply. If a local reply was shown already, its new approval is
 * announced to other servers.
 * @param above true if the parent of the reply is held, so that the reply stays held
 */
export const approved = async (ctx: Context, tx: Tx, status: string, above = false): Promise<void> => {
  await setNeedsApproval(tx, status, false)
  if (above) return
  const held = await heldWith(tx, status)
  if (held.length) return release(ctx, tx, held)
  const row = await rowOf(tx, status)
  if (row?.local) await refreshed(ctx, tx, row)
}

/**
 * Records that replies lost their approval. Replies that need an approval are held again and no longer counted. The
 * caller has locked the rows of the replies.
 */
export const unapproved = async (ctx: Context, tx: Tx, ids: readonly string[]): Promise<void> => {
  const rows = [...(await rowsOf(tx, ids)).values()].filter((row) => row.deleted_at === null)
  const held = new Set(await holdAgain(tx, ids))
  await alignVisibility(tx, [...held])
  const lost = rows.filter((row) => held.has(row.id) && countsAsReply(row))
  await addToMany(
    tx,
    'replies',
    lost.flatMap((row) => row.in_reply_to_id ?? []),
    -1,
  )
  await countQuotes(
    tx,
    rows.filter((row) => held.has(row.id)),
    -1,
  )
  await uncountFeatured(
    tx,
    lost.flatMap((row) => row.tags.map((tag) => ({ author: row.author_id, tag }))),
  )
  await Promise.all(rows.map((row) => refreshed(ctx, tx, row)))
  await assignAgain(ctx, tx, rows)
}

/**
 * Holds replies that were stored before their parent. Queues a check of each reply that needs its own approval.
 * @param above the parent: `approvesReplies` is true if its author must approve replies, `held` if the parent itself
 * waits for approval
 */
export const holdLinkedReplies = async (
  ctx: Context,
  tx: Tx,
  ids: readonly string[],
  above: { author: string; approvesReplies: boolean; held: boolean },
): Promise<void> => {
  if (ids.length === 0 || !(above.approvesReplies || above.held)) return
  const hidden = await holdShown(tx, ids, above)
  await alignVisibility(
    tx,
    hidden.map((one) => one.id),
  )
  await countQuotes(tx, hidden, -1)
  const open = hidden.filter(countsAsReply)
  await uncountFeatured(
    tx,
    open.flatMap((one) => one.tags.map((tag) => ({ author: one.author_id, tag }))),
  )
  const unapproved = hidden.filter((one) => one.needsApproval)
  await ctx.queue(tx, checkReply, ...unapproved.map((one) => ({ status: one.id })))
}
