/** An edited status is found by what it says now. */
import { statusEdited } from '@murmuration/contracts/statuses'
import { indexStatus } from '../changes/status-search.js'
import { react } from '../doors.js'

export const onStatusEdited = react(statusEdited, 'on-status-edited', async (ctx, e) => {
  await indexStatus(ctx, e.id)
})
