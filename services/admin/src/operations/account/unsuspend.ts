/** The account is no longer suspended. */
import { adminAccountUnsuspend } from '@murmuration/contracts/admin'
import { lift } from '../../changes/decide.js'
import { handle } from '../../doors.js'

export const unsuspend = handle(adminAccountUnsuspend, (ctx, viewer, { id }) => lift(ctx, viewer, id, 'suspend'))
