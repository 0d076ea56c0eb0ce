/** Changes who may quote a status of one’s own, without a new version of it. */
import { setInteractionPolicy } from '@murmuration/contracts/statuses'
import { changePolicy } from '../../changes/quote-policy.js'
import { handle } from '../../doors.js'
import { rowOf } from '../../store/status.js'
import { showStatus } from '../../views/status.js'
import { noStatus } from '../../views/visible.js'

export const interactionPolicy = handle(setInteractionPolicy, async (ctx, viewer, { id, quote_approval_policy }) => {
  const row = await rowOf(ctx.db, id)
  if (row?.author_id !== viewer.id || row.reblog_of_id !== null) throw noStatus()
  await changePolicy(ctx, row, quote_approval_policy)
  return showStatus(ctx, viewer.id, id)
})
