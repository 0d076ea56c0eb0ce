/** Finds the status that a remote one quotes, and proves the approval it names. */
import { checkQuote as contract } from '@murmuration/contracts/statuses'
import { settleQuote } from '../changes/remote-quote.js'
import { resolveStatus } from '../changes/resolve.js'
import { work } from '../doors.js'
import { quotesOf } from '../store/quote.js'
import { rowOf } from '../store/status.js'

/** Parents of a quoted status are not looked for. */
const NO_PARENTS = 0

export const checkQuote = work(contract, async (ctx, { status: id, depth }) => {
  const quote = (await quotesOf(ctx.db, [id])).get(id)
  if (quote?.state !== 'pending') return
  const quotedId =
    quote.quoted_id ??
    (quote.quoted_uri && depth > 0 ? await resolveStatus(ctx, quote.quoted_uri, NO_PARENTS, depth - 1) : null)
  const [status, quoted] = await Promise.all([rowOf(ctx.db, id), quotedId ? rowOf(ctx.db, quotedId) : null])
  if (status && quoted) await settleQuote(ctx, status, quoted)
})
