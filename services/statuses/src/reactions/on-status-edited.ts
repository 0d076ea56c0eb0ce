/** An edited status is found by what it says now. */
import { statusEdited } from '@murmuration/contracts/statuses'
import { indexSurely } from '../changes/status-search.js'
import { react } from '../doors.js'

export const onStatusEdited = react(statusEdited, 'on-status-edited', async (ctx, e) => {
  await indexSurely(ctx, [e.id])
})
