/** Returns one account with the data that moderators need. */
import { showAccountForStaff } from '@murmuration/contracts/admin'
import { toJson } from '@murmuration/contracts/kit'
import { moderatedAccount } from '../core/admin-account.js'
import { handle } from '../handlers.js'

export const show = handle(showAccountForStaff, async (ctx, _viewer, { id }) =>
  toJson((await moderatedAccount(ctx, id)).account),
)
