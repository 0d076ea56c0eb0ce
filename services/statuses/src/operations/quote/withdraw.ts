/** An author elsewhere took an approval back: the quote hides their status from now on. */
import { withdrawQuote } from '@murmuration/contracts/statuses'
import { changeQuote } from '../../changes/quote.js'
import { handle } from '../../doors.js'
import { holdQuote, quoteByStamp } from '../../store/quote.js'
import { rowOf } from '../../store/status.js'

export const withdraw = handle(withdrawQuote, async (ctx, _viewer, { actor, stamp }) => {
  const known = await quoteByStamp(ctx.db, stamp, actor)
  const [status, quoted] = known?.quoted_id
    ? await Promise.all([rowOf(ctx.db, known.status_id), rowOf(ctx.db, known.quoted_id)])
    : [null, null]
  if (!known || !status || !quoted) return { outcome: 'unknown' as const, status: null }
  await ctx.db.tx(async (tx) => {
    const held = await holdQuote(tx, status.id)
    if (held?.stamp_uri === stamp) await changeQuote(ctx, tx, held, status, quoted, { state: 'revoked', stamp: null })
  })
  return { outcome: 'done' as const, status: status.id }
})
