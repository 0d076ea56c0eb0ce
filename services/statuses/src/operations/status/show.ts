/** One status. */
import { showStatus } from '@murmuration/contracts/statuses'
import { handle } from '../../doors.js'
import { showNamedStatus } from '../../views/status.js'

export const show = handle(showStatus, (ctx, viewer, { id }) => showNamedStatus(ctx, viewer?.id ?? null, id))
