/** A status taken off the top of a profile is a Remove from the featured collection. */
import { statusUnpinned } from '@murmuration/contracts/statuses'
import { tellPin } from '../delivery/pin.js'
import { react } from '../doors.js'

export const onStatusUnpinned = react(statusUnpinned, 'on-status-unpinned', (ctx, e) => tellPin(ctx, 'Remove', e))
