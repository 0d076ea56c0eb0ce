/** Takes one’s own status out of a quote. */
import { fail } from '@murmuration/contracts/kit'
import { revokeQuote } from '@murmuration/contracts/statuses'
import { changeQuote } from '../../changes/quote.js'
import { handle } from '../../doors.js'
import { holdQuote, quotesOf } from '../../store/quote.js'
import { revokeStamp } from '../../store/quote-stamp.js'
import { rowOf } from '../../store/status.js'
import { lockUri } from '../../store/tombstone.js'
import { showStatus } from '../../views/status.js'
import { noStatus, visibleStatus } from '../../views/visible.js'

export const revoke = handle(revokeQuote, async (ctx, viewer, { id, quoting_status_id: quotingId }) => {
  const { fact } = await visibleStatus(ctx, viewer.id, id)
  const quote = (await quotesOf(ctx.db, [quotingId])).get(quotingId)
  const isOwn = fact.author_id === viewer.id
  // Other accounts find only quotes that they may see.
  if (!isOwn) await visibleStatus(ctx, viewer.id, quotingId)
  if (quote?.quoted_id !== fact.id) throw noStatus()
  if (!isOwn) throw fail('forbidden', 'This action is not allowed')
  const [status, quoted] = await Promise.all([rowOf(ctx.db, quotingId), rowOf(ctx.db, fact.id)])
  if (!status || !quoted) throw noStatus()
  await ctx.db.tx(async (tx) => {
    // A request of the quoting server takes this lock first, too.
    await lockUri(tx, status.uri)
    const held = await holdQuote(tx, quotingId)
    if (!held) throw noStatus()
    const stamp = {
      id: ctx.ids.next(),
      quoted_id: quoted.id,
      quoted_author_id: quoted.author_id,
      quoting_uri: status.uri,
      quoting_author_id: status.author_id,
    }
    await revokeStamp(tx, stamp, ctx.clock.date())
    await changeQuote(ctx, tx, held, status, quoted, { state: 'revoked', stamp: null })
  })
  return showStatus(ctx, viewer.id, quotingId)
})
