/** Stores or edits remote statuses that came together. */
import { putRemoteStatuses } from '@murmuration/contracts/statuses'
import { putRemoteStatuses as put } from '../../changes/arrivals.js'
import { handle } from '../../doors.js'

export const putRemoteMany = handle(putRemoteStatuses, async (ctx, _viewer, { statuses }) => ({
  stored: await put(ctx, statuses),
}))
