/** Deletes what an account that is removed left here: what it read of announcements, its reactions, and notes of staff on it. */
import { accountRemoved } from '@murmuration/contracts/accounts'
import { forgetReader } from '../announcement/index.js'
import { react } from '../handlers.js'
import { deleteNotesOfAccount } from '../staff-note/index.js'

export const onAccountRemoved = react(accountRemoved, 'on-account-removed', (ctx, e) =>
  ctx.db.tx(async (tx) => {
    await forgetReader(tx, e.id)
    await deleteNotesOfAccount(tx, e.id)
  }),
)
