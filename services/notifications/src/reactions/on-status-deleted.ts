/** Nothing is told any more of a status or boost that is gone. */
import { statusDeleted } from '@murmuration/contracts/statuses'
import { undoStatus } from '../changes/undo.js'
import { react } from '../doors.js'

export const onStatusDeleted = react(statusDeleted, 'on-status-deleted', (ctx, e) => undoStatus(ctx, e.id))
