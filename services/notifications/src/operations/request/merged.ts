/** Whether everything that accepted requests held is in the list by now. */
import { requestsMerged } from '@murmuration/contracts/notifications'
import { handle } from '../../doors.js'
import { isMerging } from '../../store/merge.js'

export const merged = handle(requestsMerged, async (ctx, viewer) => ({ merged: !(await isMerging(ctx.db, viewer.id)) }))
