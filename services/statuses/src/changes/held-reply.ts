/** Answers that wait for the approval of whom they answer: held back, let go, held back again; in the caller’s transaction. */
import { replyRequested } from '@murmuration/contracts/statuses'
import type { Tx } from '@murmuration/db'
import type { Context } from '../context.js'
import { addToMany } from '../store/count.js'
import { countFeatured, uncountFeatured } from '../store/featured-tag.js'
import { freeHeld, heldWith, holdAgain, insertHeld } from '../store/held-reply.js'
import { rowOf, rowsOf, type StatusRow } from '../store/status.js'
import { refreshed } from './quote.js'
import { countsAsReply, tellOfNew, type Whole } from './status.js'

/** Stores for whom the answer is, and has its approval asked for; nobody hears of it until then. */
export const holdBack = async (
  ctx: Context,
  tx: Tx,
  { row, held }: Pick<Whole, 'row'> & { held: NonNullable<Whole['held']> },
): Promise<void> => {
  await insertHeld(tx, row.id, held.visibility)
  const answered = row.in_reply_to_author_id
  if (held.asks && answered) await ctx.announce(tx, replyRequested, { id: row.id, author: row.author_id, answered })
}

const newsFrom = (row: StatusRow): Whole => ({
  row,
  mentions: row.mentions,
  tags: row.tags.map((name) => ({ name, display: name })),
  push: true,
})

/** It counts and is told like a new one, with what its author answered to it meanwhile. */
const letGo = async (ctx: Context, tx: Tx, ids: readonly string[]): Promise<void> => {
  const fresh = await freeHeld(tx, ids)
  const rows = [...(await rowsOf(tx, ids)).values()]
  const open = rows.filter(countsAsReply)
  await addToMany(
    tx,
    'replies',
    open.flatMap((row) => row.in_reply_to_id ?? []),
    1,
  )
  await Promise.all(open.map((row) => countFeatured(tx, row.author_id, row.tags, row.created_at)))
  await tellOfNew(ctx, tx, rows.filter((row) => fresh.has(row.id)).map(newsFrom))
  await Promise.all(rows.filter((row) => !fresh.has(row.id)).map((row) => refreshed(ctx, tx, row)))
}

/** The approval of an answer is noted: when it waited for it, it is let go, else only said once more. */
export const approved = async (ctx: Context, tx: Tx, status: string): Promise<void> => {
  const held = await heldWith(tx, status)
  if (held.length) return letGo(ctx, tx, held)
  const row = await rowOf(tx, status)
  if (row) await refreshed(ctx, tx, row)
}

/** The approval is gone: an answer that needed one is its author’s alone again, and counts no more. */
export const unapproved = async (ctx: Context, tx: Tx, status: string): Promise<void> => {
  const row = await rowOf(tx, status)
  if (row === null) return
  if ((await holdAgain(tx, status)) && countsAsReply(row)) {
    await addToMany(tx, 'replies', row.in_reply_to_id === null ? [] : [row.in_reply_to_id], -1)
    await uncountFeatured(
      tx,
      row.tags.map((tag) => ({ author: row.author_id, tag })),
    )
  }
  await refreshed(ctx, tx, row)
}
