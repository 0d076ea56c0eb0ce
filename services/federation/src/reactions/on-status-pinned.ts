/** A status put first on a profile is an Add to the featured collection. */
import { statusPinned } from '@murmuration/contracts/statuses'
import { tellPin } from '../delivery/pin.js'
import { react } from '../doors.js'

export const onStatusPinned = react(statusPinned, 'on-status-pinned', (ctx, e) => tellPin(ctx, 'Add', e))
