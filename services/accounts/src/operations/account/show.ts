/** An account by id. */
import { accountShow } from '@murmuration/contracts/accounts'
import { notFound, toJson } from '@murmuration/contracts/kit'
import { handle } from '../../doors.js'
import { readBehind } from '../../outside/resolve-account.js'
import { accountsOfRows } from '../../views/account-cards.js'
import { otherAccount } from '../../views/other-account.js'

export const showAccount = handle(accountShow, async (ctx, viewer, { id }) => {
  const row = await otherAccount(ctx, id)
  // Only people make us ask other servers.
  if (viewer !== null) readBehind(ctx, row)
  const [account] = await accountsOfRows(ctx, [row])
  if (!account) throw notFound()
  return toJson(account)
})
