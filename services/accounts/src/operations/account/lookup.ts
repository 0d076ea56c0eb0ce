/** An account by its handle; never asks other servers, and finds people who did not confirm yet (S-120 … S-122). */
import { accountLookup } from '@murmuration/contracts/accounts'
import { notFound, toJson } from '@murmuration/contracts/kit'
import { handleKeyOf } from '../../domain/handle.js'
import { handle } from '../../doors.js'
import { accountsByHandles } from '../../store/account.js'
import { accountsOfRows } from '../../views/account-cards.js'

export const lookupAccount = handle(accountLookup, async (ctx, _viewer, { acct }) => {
  const key = handleKeyOf(acct, ctx.site)
  const [account] = key ? await accountsOfRows(ctx, await accountsByHandles(ctx.db, [key])) : []
  if (!account) throw notFound()
  return toJson(account)
})
