/** Nothing is kept of an account that is gone for good. */
import { accountRemoved } from '@murmuration/contracts/accounts'
import { react } from '../doors.js'
import { removeAccount } from '../store/undone.js'

export const onAccountRemoved = react(accountRemoved, 'on-account-removed', (ctx, e) =>
  ctx.db.tx((tx) => removeAccount(tx, e.id)),
)
