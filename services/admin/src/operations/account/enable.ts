/** A disabled person may sign in again. */
import { adminAccountEnable } from '@murmuration/contracts/admin'
import { lift } from '../../changes/decide.js'
import { handle } from '../../doors.js'

export const enable = handle(adminAccountEnable, (ctx, viewer, { id }) => lift(ctx, viewer, id, 'disable'))
