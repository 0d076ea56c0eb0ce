/** One account with what moderators need to know. */
import { adminAccountShow } from '@murmuration/contracts/admin'
import { toJson } from '@murmuration/contracts/kit'
import { moderatedAccount } from '../core/admin-account.js'
import { handle } from '../handlers.js'

export const show = handle(adminAccountShow, async (ctx, _viewer, { id }) =>
  toJson((await moderatedAccount(ctx, id)).account),
)
