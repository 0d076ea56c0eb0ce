/** An account by id. */
import { accountShow } from '@murmuration/contracts/accounts'
import { notFound, toJson } from '@murmuration/contracts/kit'
import { handle } from '../../doors.js'
import { accountsOfRows } from '../../views/account-cards.js'
import { otherAccount } from '../../views/other-account.js'

export const showAccount = handle(accountShow, async (ctx, _viewer, { id }) => {
  const [account] = await accountsOfRows(ctx, [await otherAccount(ctx, id)])
  if (!account) throw notFound()
  return toJson(account)
})
