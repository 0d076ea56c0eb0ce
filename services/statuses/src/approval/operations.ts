/** Handlers of approvals of replies. */
import { accountRecords } from '@murmuration/contracts/accounts'
import { approveReply, recordApproval, revokeApproval, statusInvalidation } from '@murmuration/contracts/statuses'
import type { Tx } from '@murmuration/db'
import type { Context } from '../context.js'
import { changeQuote } from '../core/quote/quote.js'
import { holdQuote, quoteByAuthorization } from '../core/quote/store.js'
import { putApproval, repliesByApproval } from '../core/reply/approval.store.js'
import { isOfOrigin } from '../core/status/remote.rules.js'
import { idsByUri, lockAllForChange, lockForChange, rowOf } from '../core/status/store.js'
import { insertTombstones, lockedHasTombstone, lockUri } from '../core/status/tombstone.store.js'
import { handle } from '../handlers.js'
import { putEarly } from './early.store.js'
import { approved, unapproved } from './held-reply.js'
import { applyApproval, endApproval } from './remote-reply.js'

/** Stores or deletes an approval by a remote author of a reply whose parent is not known yet. */
export const note = handle(recordApproval, async (ctx, _viewer, { actor, status, approval }) => {
  const { records } = await ctx.call(accountRecords, { ids: [actor] })
  const [who] = records
  if (!who || (approval !== null && !isOfOrigin(approval, who.uri))) return { outcome: 'refused' as const }
  return ctx.db.tx(async (tx) => {
    await lockUri(tx, status)
    const id = (await idsByUri(tx, [status])).get(status)
    // Another transaction may be storing the parent. Either this lock waits for that transaction, or that transaction
    // finds the approval that is stored here.
    if (id !== undefined) await lockAllForChange(tx, [id])
    const row = id === undefined ? undefined : await rowOf(tx, id)
    if (row === null || (row && row.in_reply_to_uri === null)) return { outcome: 'refused' as const }
    if (row && row.in_reply_to_id !== null) return { outcome: 'here' as const }
    await putEarly(tx, status, actor, approval)
    return { outcome: 'done' as const }
  })
})

/** Revokes the quote that has this approval. Returns the id of the quoting status, or null if no quote has it. */
const ofQuote = async (ctx: Context, tx: Tx, actor: string, approval: string): Promise<string | null> => {
  const known = await quoteByAuthorization(tx, approval, actor)
  if (!known?.quoted_id) return null
  const [status, quoted] = await Promise.all([rowOf(tx, known.status_id), rowOf(tx, known.quoted_id)])
  if (!status || !quoted) return null
  const held = await holdQuote(tx, status.id)
  if (held?.stamp_uri === approval) await changeQuote(ctx, tx, held, status, quoted, { state: 'revoked', stamp: null })
  return status.id
}

/** Ends an approval for all replies that have it or claim to have it. Returns false if no reply has this approval. */
const ofReplies = async (ctx: Context, tx: Tx, actor: string, approval: string): Promise<boolean> => {
  const ids = await repliesByApproval(tx, approval, actor)
  await unapproved(ctx, tx, await endApproval(ctx, tx, await lockAllForChange(tx, ids), approval))
  return ids.length > 0
}

/** Revokes an approval of a remote author: the quote hides the quoted status, or the reply is held again. */
export const revoke = handle(revokeApproval, async (ctx, _viewer, { actor, approval }) => {
  const unknown = { outcome: 'unknown' as const, quoting: null }
  const { records } = await ctx.call(accountRecords, { ids: [actor] })
  if (!records[0] || !isOfOrigin(approval, records[0].uri)) return unknown
  return ctx.db.tx(async (tx) => {
    await lockUri(tx, approval)
    // Because of the tombstone, an Accept with this approval that is received later or again has no effect.
    await insertTombstones(tx, actor, [approval])
    const quoting = await ofQuote(ctx, tx, actor, approval)
    if (quoting !== null) return { outcome: 'done' as const, quoting }
    return (await ofReplies(ctx, tx, actor, approval)) ? { outcome: 'done' as const, quoting: null } : unknown
  })
})

/** Response of `approveReply`. Sends a cache invalidation if the reply changed. */
const outcomeOf = (ctx: Pick<Context, 'invalidations'>, id: string, changed: boolean) => {
  if (changed) ctx.invalidations.send(statusInvalidation, [id])
  return { outcome: changed ? ('done' as const) : ('unchanged' as const) }
}

export const approve = handle(approveReply, async (ctx, _viewer, { actor, status: id, approval }) => {
  const [status, { records }] = await Promise.all([rowOf(ctx.db, id), ctx.call(accountRecords, { ids: [actor] })])
  const [who] = records
  // The URI of an approval must have the same origin as the actor of its author.
  if (status?.in_reply_to_author_id !== actor || !who || (approval !== null && !isOfOrigin(approval, who.uri)))
    return { outcome: 'refused' as const }
  if (!status.local) return outcomeOf(ctx, id, await applyApproval(ctx, status, actor, approval))
  const changed = await ctx.db.tx(async (tx) => {
    // If the revocation of an approval was received before the approval, the approval has no effect.
    if (approval !== null && (await lockedHasTombstone(tx, actor, approval))) return false
    if (!(await lockForChange(tx, id, status.author_id)) || !(await putApproval(tx, id, approval))) return false
    await (approval === null ? unapproved(ctx, tx, [id]) : approved(ctx, tx, id))
    return true
  })
  return outcomeOf(ctx, id, changed)
})
