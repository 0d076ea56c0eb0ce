/** FeaturedTag JSON: a hashtag in its owner's spelling, with the owner's number of statuses. */
import { accountRecords } from '@murmuration/contracts/accounts'
import type { FeaturedTag } from '@murmuration/contracts/entities'
import { notFound } from '@murmuration/contracts/kit'
import type { Context } from '../context.js'
import { featuredTagUrl } from '../core/address/rules.js'
import { type FeaturedTagRow, featuredTagsOf } from '../core/tag/featured.store.js'

/** FeaturedTag JSON of a row. `acct`: handle of the owner. */
export const featuredTag = (origin: string, acct: string, row: FeaturedTagRow): FeaturedTag => ({
  id: row.id,
  name: row.name,
  url: featuredTagUrl(origin, acct, row.tag),
  statuses_count: String(row.statuses_count),
  last_status_at: row.last_status_at === null ? null : row.last_status_at.toISOString().slice(0, 10),
})

/** The handle of an account, for the addresses of its featured tags. Throws 404 if unknown. */
export const acctOf = async (ctx: Pick<Context, 'call'>, account: string): Promise<string> => {
  const { records } = await ctx.call(accountRecords, { ids: [account] })
  const [record] = records
  if (!record) throw notFound()
  return record.acct
}

/** Featured tags of an account, most used first. */
export const showFeaturedTags = async (
  ctx: Pick<Context, 'call' | 'db' | 'site'>,
  account: string,
): Promise<FeaturedTag[]> => {
  const [acct, rows] = await Promise.all([acctOf(ctx, account), featuredTagsOf(ctx.db, account)])
  return rows.map((row) => featuredTag(ctx.site.origin, acct, row))
}
