/** An author elsewhere approved an answer before it is known what it answers, or took that back: remembered until it is. */
import { accountRecords } from '@murmuration/contracts/accounts'
import { noteApproval } from '@murmuration/contracts/statuses'
import { isOfOrigin } from '../../domain/remote.js'
import { handle } from '../../doors.js'
import { putEarly } from '../../store/early-approval.js'
import { holdAllForChange, idsByUri, rowOf } from '../../store/status.js'
import { lockUri } from '../../store/tombstone.js'

export const note = handle(noteApproval, async (ctx, _viewer, { actor, status, approval }) => {
  const { records } = await ctx.call(accountRecords, { ids: [actor] })
  const [who] = records
  if (!who || (approval !== null && !isOfOrigin(approval, who.uri))) return { outcome: 'refused' as const }
  return ctx.db.tx(async (tx) => {
    await lockUri(tx, status)
    const id = (await idsByUri(tx, [status])).get(status)
    // What it answers may come in this moment: that is waited for, or reads what is noted here.
    if (id !== undefined) await holdAllForChange(tx, [id])
    const row = id === undefined ? undefined : await rowOf(tx, id)
    if (row === null || (row && row.in_reply_to_uri === null)) return { outcome: 'refused' as const }
    if (row && row.in_reply_to_id !== null) return { outcome: 'here' as const }
    await putEarly(tx, status, actor, approval)
    return { outcome: 'done' as const }
  })
})
