/** Media of the account are no longer hidden. */
import { adminAccountUnsensitive } from '@murmuration/contracts/admin'
import { lift } from '../../changes/decide.js'
import { handle } from '../../doors.js'

export const unsensitive = handle(adminAccountUnsensitive, (ctx, viewer, { id }) => lift(ctx, viewer, id, 'sensitive'))
