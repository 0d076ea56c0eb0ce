/** Several accounts by id; those that may not be seen are left out. */
import { accountMany } from '@murmuration/contracts/accounts'
import { fail } from '@murmuration/contracts/kit'
import { limits } from '@murmuration/contracts/limits'
import { handle } from '../../doors.js'
import { accountsByIds } from '../../store/account.js'
import { accountsOfRows } from '../../views/account-cards.js'

export const showManyAccounts = handle(accountMany, async (ctx, _viewer, { id }) => {
  const most = limits.accounts.maxFetched
  if (id.length > most) throw fail('unprocessable', `Too many ids (maximum is ${most})`)
  const rows = (await accountsByIds(ctx.db, id)).filter((row) => row.usable && !row.suspended)
  return accountsOfRows(ctx, rows)
})
