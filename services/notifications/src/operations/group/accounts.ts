/** Everybody in a group, the latest first. */
import { pageReply } from '@murmuration/contracts/kit'
import { groupAccounts } from '@murmuration/contracts/notifications'
import { endsOf, newestFirst } from '@murmuration/db'
import { handle } from '../../doors.js'
import { sendersInGroup } from '../../store/group.js'

export const accounts = handle(groupAccounts, async (ctx, viewer, { group_key, ...page }) => {
  const rows = newestFirst(await sendersInGroup(ctx.db, viewer.id, group_key, page), page)
  const cards = await ctx.accountCards.many(rows.map((row) => row.from_id))
  const ids = rows.map((row) => row.id)
  return pageReply(
    groupAccounts.output,
    rows.flatMap((row) => cards.get(row.from_id) ?? []),
    endsOf(ids, page),
  )
})
