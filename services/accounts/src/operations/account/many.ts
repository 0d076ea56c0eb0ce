/** Several accounts by id, in the order of the request; those that cannot be shown are left out. */
import { accountMany } from '@murmuration/contracts/accounts'
import { fail } from '@murmuration/contracts/kit'
import { limits } from '@murmuration/contracts/limits'
import { handle } from '../../doors.js'
import { accountsByIds } from '../../store/account.js'
import { accountsOfRows } from '../../views/account-cards.js'

export const showManyAccounts = handle(accountMany, async (ctx, _viewer, { id }) => {
  const most = limits.accounts.maxFetched
  if (id.length > most) throw fail('unprocessable', `Too many ids (maximum is ${most})`)
  const known = new Map((await accountsByIds(ctx.db, id)).map((row) => [row.id, row]))
  const rows = id.flatMap((one) => known.get(one) ?? []).filter((row) => row.usable && !row.suspended)
  return accountsOfRows(ctx, rows)
})
