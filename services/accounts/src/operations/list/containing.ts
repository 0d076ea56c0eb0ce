/** Lists of the viewer that hold an account. */
import { listsOfAccount } from '@murmuration/contracts/accounts'
import { handle } from '../../doors.js'
import { listsContaining } from '../../store/list.js'
import { otherAccount } from '../../views/other-account.js'

export const listsContainingAccount = handle(listsOfAccount, async (ctx, viewer, { id }) => {
  const account = await otherAccount(ctx, id)
  return account.suspended ? [] : listsContaining(ctx.db, viewer.id, id)
})
