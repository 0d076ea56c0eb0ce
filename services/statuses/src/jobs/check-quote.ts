/** Finds the status that a remote one quotes, and proves the approval it names; one that was proved is proved again after days. */
import { notYet } from '@murmuration/contracts/kit'
import { checkQuote as contract } from '@murmuration/contracts/statuses'
import { isHiddenFrom } from '../changes/meant.js'
import { proveAgain, settleQuote } from '../changes/remote-quote.js'
import { reachStatus } from '../changes/resolve.js'
import type { Context } from '../context.js'
import { work } from '../doors.js'
import { type QuoteRow, quotesOf } from '../store/quote.js'
import { rowOf } from '../store/status.js'

/** Parents of a quoted status are not looked for, and few strangers whom it names: nobody asked to read it. */
const NO_PARENTS = 0
const MOST_LOOKUPS = 5

const reachQuoted = async (ctx: Context, uri: string | null, depth: number) => {
  if (uri === null || depth < 1) return { id: null, later: false }
  const bounds = { depth: NO_PARENTS, quotes: depth - 1, lookups: { left: MOST_LOOKUPS }, behind: true }
  return reachStatus(ctx, uri, bounds)
}

/** Finds what a pending quote shows and settles it; true when the other server cannot be read yet. */
const settle = async (ctx: Context, quote: QuoteRow, depth: number): Promise<boolean> => {
  const found = quote.quoted_id === null ? await reachQuoted(ctx, quote.quoted_uri, depth) : null
  if (found?.later) return true
  const quotedId = quote.quoted_id ?? found?.id ?? null
  const [status, quoted] = await Promise.all([
    rowOf(ctx.db, quote.status_id),
    quotedId === null ? null : rowOf(ctx.db, quotedId),
  ])
  if (status === null || quoted === null || (await isHiddenFrom(ctx, status.author_id, quoted))) return false
  return (await settleQuote(ctx, status, quoted)) === 'later'
}

export const checkQuote = work(contract, async (ctx, { status: id, depth }, { tries }) => {
  const quote = (await quotesOf(ctx.db, [id])).get(id)
  if (quote?.state === 'accepted') {
    const shown = await rowOf(ctx.db, id)
    return shown && !shown.local ? proveAgain(ctx, shown) : undefined
  }
  if (quote?.state !== 'pending') return
  // After the last try it stays pending, and waits for the next one who opens the status.
  if ((await settle(ctx, quote, depth)) && tries < contract.retry.times)
    throw notYet('What is quoted, or its approval, cannot be read yet')
})
