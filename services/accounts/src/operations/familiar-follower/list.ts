/** Followers of each requested account whom the viewer follows, too; in the order of the request. */
import { familiarFollowerList } from '@murmuration/contracts/accounts'
import { handle } from '../../doors.js'
import { accountsByIds } from '../../store/account.js'
import { familiarFollowers } from '../../store/familiar-follower.js'
import { accountValues } from '../../views/account-cards.js'

export const listFamiliarFollowers = handle(familiarFollowerList, async (ctx, viewer, { id }) => {
  const known = new Map((await accountsByIds(ctx.db, id)).map((row) => [row.id, row]))
  const accounts = id.flatMap((one) => known.get(one) ?? []).filter((row) => row.usable && !row.suspended)
  const open = accounts.filter((row) => !row.hide_collections).map((row) => row.id)
  const pairs = await familiarFollowers(ctx.db, viewer.id, open)
  const shown = await accountValues(
    ctx,
    pairs.map((pair) => pair.follower_id),
  )
  const byAccount = Map.groupBy(pairs, (pair) => pair.id)
  return accounts.map((account) => ({
    id: account.id,
    accounts: (byAccount.get(account.id) ?? []).flatMap((pair) => shown.get(pair.follower_id) ?? []),
  }))
})
