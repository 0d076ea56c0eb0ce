/** A new status can be found by what it says. */
import { statusCreated } from '@murmuration/contracts/statuses'
import { indexStatus } from '../changes/status-search.js'
import { react } from '../doors.js'

export const onStatusCreatedSearch = react(statusCreated, 'on-status-created-search', async (ctx, e) => {
  if (e.reblogOf === null) await indexStatus(ctx, e.id)
})
