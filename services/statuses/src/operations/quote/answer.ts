/** The author of a status elsewhere answered a quote of this server; only their own word, about their own status, counts. */
import { accountRecords } from '@murmuration/contracts/accounts'
import { answerQuote } from '@murmuration/contracts/statuses'
import { changeQuote } from '../../changes/quote.js'
import { isOfOrigin } from '../../domain/remote.js'
import { handle } from '../../doors.js'
import { holdQuote, quotesOf } from '../../store/quote.js'
import { rowOf } from '../../store/status.js'
import { isTakenBack } from '../../store/tombstone.js'

export const answer = handle(answerQuote, async (ctx, _viewer, { actor, status: id, stamp }) => {
  const refused = { outcome: 'refused' as const }
  const known = (await quotesOf(ctx.db, [id])).get(id)
  if (!known?.quoted_id || known.quoted_author_id !== actor) return refused
  const [status, quoted, { records }] = await Promise.all([
    rowOf(ctx.db, id),
    rowOf(ctx.db, known.quoted_id),
    ctx.call(accountRecords, { ids: [actor] }),
  ])
  const [who] = records
  if (!status?.local || !quoted || !who) return refused
  // An approval lives where its author lives.
  if (stamp !== null && !isOfOrigin(stamp, who.uri)) return refused
  const changed = await ctx.db.tx(async (tx) => {
    // The end of an approval may overtake the approval.
    if (stamp !== null && (await isTakenBack(tx, actor, stamp))) return false
    const held = await holdQuote(tx, id)
    if (!held || (stamp === null && held.state === 'revoked')) return false
    const state = stamp === null ? ('rejected' as const) : ('accepted' as const)
    return changeQuote(ctx, tx, held, status, quoted, { state, stamp })
  })
  return { outcome: changed ? ('done' as const) : ('unchanged' as const) }
})
