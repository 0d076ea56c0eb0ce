/** Finds the status that a remote one quotes, and proves the approval it names. */
import { fail } from '@murmuration/contracts/kit'
import { checkQuote as contract } from '@murmuration/contracts/statuses'
import { settleQuote } from '../changes/remote-quote.js'
import { reachStatus } from '../changes/resolve.js'
import type { Context } from '../context.js'
import { work } from '../doors.js'
import { quotesOf } from '../store/quote.js'
import { rowOf } from '../store/status.js'

/** Parents of a quoted status are not looked for, and few strangers whom it names: nobody asked to read it. */
const NO_PARENTS = 0
const MOST_LOOKUPS = 5

const quotedId = async (ctx: Context, uri: string | null, depth: number): Promise<string | null> => {
  if (uri === null || depth < 1) return null
  const bounds = { depth: NO_PARENTS, quotes: depth - 1, lookups: { left: MOST_LOOKUPS }, behind: true }
  const { id, later } = await reachStatus(ctx, uri, bounds)
  if (later) throw fail('unavailable', 'The quoted status cannot be read yet')
  return id
}

export const checkQuote = work(contract, async (ctx, { status: id, depth }) => {
  const quote = (await quotesOf(ctx.db, [id])).get(id)
  if (quote?.state !== 'pending') return
  const found = quote.quoted_id ?? (await quotedId(ctx, quote.quoted_uri, depth))
  const [status, quoted] = await Promise.all([rowOf(ctx.db, id), found ? rowOf(ctx.db, found) : null])
  if (status && quoted) await settleQuote(ctx, status, quoted)
})
