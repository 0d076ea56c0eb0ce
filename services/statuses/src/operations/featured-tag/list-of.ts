/** Hashtags an account features, the most used first; a suspended one shows none. */
import { accountRecords } from '@murmuration/contracts/accounts'
import { notFound } from '@murmuration/contracts/kit'
import { featuredTagListOf } from '@murmuration/contracts/statuses'
import { handle } from '../../doors.js'
import { featuredTagsOf } from '../../store/featured-tag.js'
import { featuredTag } from '../../views/featured-tag.js'

export const listOf = handle(featuredTagListOf, async (ctx, _viewer, { id }) => {
  const { records } = await ctx.call(accountRecords, { ids: [id] })
  const [account] = records
  if (!account?.usable) throw notFound()
  const rows = account.suspended ? [] : await featuredTagsOf(ctx.db, id)
  return rows.map((row) => featuredTag(ctx.site.origin, account.acct, row))
})
