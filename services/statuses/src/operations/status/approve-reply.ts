/** The author of a status elsewhere approved an answer of this or of a third server, or took that back; only who is answered may. */
import { accountRecords } from '@murmuration/contracts/accounts'
import { approveReply, statusHint } from '@murmuration/contracts/statuses'
import { approved, unapproved } from '../../changes/held-reply.js'
import { heedApproval } from '../../changes/remote-reply.js'
import type { Context } from '../../context.js'
import { isOfOrigin } from '../../domain/remote.js'
import { handle } from '../../doors.js'
import { putApproval } from '../../store/reply-approval.js'
import { holdForChange, rowOf } from '../../store/status.js'
import { isTakenBack } from '../../store/tombstone.js'

const outcomeOf = (ctx: Pick<Context, 'hints'>, id: string, changed: boolean) => {
  if (changed) ctx.hints.send(statusHint, [id])
  return { outcome: changed ? ('done' as const) : ('unchanged' as const) }
}

export const approve = handle(approveReply, async (ctx, _viewer, { actor, status: id, approval }) => {
  const [status, { records }] = await Promise.all([rowOf(ctx.db, id), ctx.call(accountRecords, { ids: [actor] })])
  const [who] = records
  // An approval lives where its author lives.
  if (status?.in_reply_to_author_id !== actor || !who || (approval !== null && !isOfOrigin(approval, who.uri)))
    return { outcome: 'refused' as const }
  if (!status.local) return outcomeOf(ctx, id, await heedApproval(ctx, status, actor, approval))
  const changed = await ctx.db.tx(async (tx) => {
    // The end of an approval may overtake the approval.
    if (approval !== null && (await isTakenBack(tx, actor, approval))) return false
    if (!(await holdForChange(tx, id, status.author_id)) || !(await putApproval(tx, id, approval))) return false
    await (approval === null ? unapproved(ctx, tx, [id]) : approved(ctx, tx, id))
    return true
  })
  return outcomeOf(ctx, id, changed)
})
