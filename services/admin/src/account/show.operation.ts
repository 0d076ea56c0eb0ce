/** Returns one account with the data that moderators need. */
import { showAdminAccount } from '@murmuration/contracts/admin'
import { toJson } from '@murmuration/contracts/kit'
import { moderatedAccount } from '../core/admin-account.js'
import { handle } from '../handlers.js'

export const show = handle(showAdminAccount, async (ctx, _viewer, { id }) =>
  toJson((await moderatedAccount(ctx, id)).account),
)
