/** An author elsewhere took an approval back: the quote hides their status, and the answer claims no consent, from now on. */
import { accountRecords } from '@murmuration/contracts/accounts'
import { withdrawApproval } from '@murmuration/contracts/statuses'
import type { Tx } from '@murmuration/db'
import { unapproved } from '../../changes/held-reply.js'
import { changeQuote } from '../../changes/quote.js'
import { endApproval } from '../../changes/remote-reply.js'
import type { Context } from '../../context.js'
import { isOfOrigin } from '../../domain/remote.js'
import { handle } from '../../doors.js'
import { holdQuote, quoteByStamp } from '../../store/quote.js'
import { repliesByApproval } from '../../store/reply-approval.js'
import { holdAllForChange, rowOf } from '../../store/status.js'
import { insertTombstones, lockUri } from '../../store/tombstone.js'

/** The status whose quote it approved. */
const ofQuote = async (ctx: Context, tx: Tx, actor: string, approval: string): Promise<string | null> => {
  const known = await quoteByStamp(tx, approval, actor)
  if (!known?.quoted_id) return null
  const [status, quoted] = await Promise.all([rowOf(tx, known.status_id), rowOf(tx, known.quoted_id)])
  if (!status || !quoted) return null
  const held = await holdQuote(tx, status.id)
  if (held?.stamp_uri === approval) await changeQuote(ctx, tx, held, status, quoted, { state: 'revoked', stamp: null })
  return status.id
}

/** The answers that it approved, and those that name it; false when there are none. */
const ofReplies = async (ctx: Context, tx: Tx, actor: string, approval: string): Promise<boolean> => {
  const ids = await repliesByApproval(tx, approval, actor)
  await unapproved(ctx, tx, await endApproval(ctx, tx, await holdAllForChange(tx, ids), approval))
  return ids.length > 0
}

export const withdraw = handle(withdrawApproval, async (ctx, _viewer, { actor, approval }) => {
  const unknown = { outcome: 'unknown' as const, quoting: null }
  const { records } = await ctx.call(accountRecords, { ids: [actor] })
  if (!records[0] || !isOfOrigin(approval, records[0].uri)) return unknown
  return ctx.db.tx(async (tx) => {
    await lockUri(tx, approval)
    // Remembered, so that an Accept that comes late, or once more, does nothing.
    await insertTombstones(tx, actor, [approval])
    const quoting = await ofQuote(ctx, tx, actor, approval)
    if (quoting !== null) return { outcome: 'done' as const, quoting }
    return (await ofReplies(ctx, tx, actor, approval)) ? { outcome: 'done' as const, quoting: null } : unknown
  })
})
