/** Answers that wait for the approval of whom they answer: held back, let go, held back again; in the caller’s transaction. */
import { checkReply, fileConversation, replyRequested } from '@murmuration/contracts/statuses'
import type { Tx } from '@murmuration/db'
import type { Context } from '../context.js'
import { refreshed } from '../core/quote/quote.js'
import { countedQuotes } from '../core/quote/store.js'
import {
  freeHeld,
  heldBelow,
  heldWith,
  holdAgain,
  holdShown,
  insertHeld,
  MOST_WITH,
  setAsks,
} from '../core/reply/held.store.js'
import { addToMany } from '../core/status/count.store.js'
import { announceNew, countsAsReply, type FullStatus } from '../core/status/new-status.js'
import { isRecent } from '../core/status/remote.rules.js'
import { alignVisibility } from '../core/status/search.store.js'
import { rowOf, rowsOf, type StatusRow } from '../core/status/store.js'
import { countFeatured, uncountFeatured } from '../core/tag/featured.store.js'
import { levelOf } from '../core/visibility/rules.js'

/** Stores for whom the answer is, and has the approval of one from here asked for; nobody hears of it until then. */
export const holdBack = async (
  ctx: Context,
  tx: Tx,
  { row, held, push }: Pick<FullStatus, 'row' | 'push'> & { held: NonNullable<FullStatus['held']> },
): Promise<void> => {
  await insertHeld(tx, row.id, { ...held, push })
  const answered = row.in_reply_to_author_id
  if (row.local && held.asks && answered)
    await ctx.announce(tx, replyRequested, { id: row.id, author: row.author_id, answered })
}

const newsFrom = (row: StatusRow, push: boolean): FullStatus => ({
  row,
  mentions: row.mentions,
  tags: row.tags.map((name) => ({ name, display: name })),
  push,
})

/** Direct ones of which people heard before belong into their conversations again, or no more. */
const fileAgain = (ctx: Context, tx: Tx, rows: readonly Pick<StatusRow, 'id' | 'visibility'>[]): Promise<void> => {
  const direct = rows.filter((row) => row.visibility === levelOf('direct'))
  return ctx.queue(tx, fileConversation, ...direct.map((row) => ({ status: row.id })))
}

/** Answers below that are judged at once, one by one. */
const MOST_BELOW = 1_000

/** Has held answers of other servers judged again: those that lack an approval of their own, or those that lack none. */
export const recheckBelow = async (ctx: Context, tx: Tx, parents: readonly string[], asks: boolean): Promise<void> => {
  const waiting = await heldBelow(tx, parents, { asks, most: MOST_BELOW })
  await ctx.queue(tx, checkReply, ...waiting.map((id) => ({ status: id })))
}

/** Updates the quote counters of statuses that replies quote. A reply counts only while it is shown. */
const countQuotes = async (tx: Tx, rows: readonly Pick<StatusRow, 'id' | 'has_quote'>[], by: 1 | -1): Promise<void> => {
  const quoting = rows.filter((row) => row.has_quote).map((row) => row.id)
  await addToMany(tx, 'quotes', await countedQuotes(tx, quoting), by)
}

/** It counts and is told like a new one, with what its author answered to it meanwhile. */
const letGo = async (ctx: Context, tx: Tx, ids: readonly string[]): Promise<void> => {
  const fresh = await freeHeld(tx, ids)
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
    return one ? [newsFrom(row, one.push && (row.local || isRecent(row.created_at, now)))] : []
  })
  await announceNew(ctx, tx, news)
  const known = rows.filter((row) => !fresh.has(row.id))
  await Promise.all(known.map((row) => refreshed(ctx, tx, row)))
  await fileAgain(ctx, tx, known)
  if (ids.length === MOST_WITH) await recheckBelow(ctx, tx, ids, false)
}

/**
 * The approval of an answer is noted: when it waited for it, it is let go, else one from here is only said once more.
 * @param above what it answers waits itself, and it goes on waiting with that
 */
export const approved = async (ctx: Context, tx: Tx, status: string, above = false): Promise<void> => {
  await setAsks(tx, status, false)
  if (above) return
  const held = await heldWith(tx, status)
  if (held.length) return letGo(ctx, tx, held)
  const row = await rowOf(tx, status)
  if (row?.local) await refreshed(ctx, tx, row)
}

/** The approval is gone: answers that needed one are their authors’ alone again, and count no more. The caller holds them. */
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
  await fileAgain(ctx, tx, rows)
}

/**
 * Answers that came before what they answer wait from now on; those that lack an approval of their own are judged one by one.
 * @param above what they answer: `asks` when its author approves answers, `held` when it waits itself
 */
export const holdAdopted = async (
  ctx: Context,
  tx: Tx,
  ids: readonly string[],
  above: { author: string; asks: boolean; held: boolean },
): Promise<void> => {
  if (ids.length === 0 || !(above.asks || above.held)) return
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
  const asking = hidden.filter((one) => one.asks)
  await ctx.queue(tx, checkReply, ...asking.map((one) => ({ status: one.id })))
}
