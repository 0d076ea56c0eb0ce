/** The account is no longer limited. */
import { adminAccountUnsilence } from '@murmuration/contracts/admin'
import { lift } from '../../changes/decide.js'
import { handle } from '../../doors.js'

export const unsilence = handle(adminAccountUnsilence, (ctx, viewer, { id }) => lift(ctx, viewer, id, 'silence'))
