/** Followers that asked for notifications of each status of an account, a page at a time. */
import { audience } from '@murmuration/contracts/accounts'
import type { Context } from '../context.js'

const PAGE = 500
/** All followers count, also those that were away for long, because they asked for it. */
const EVER_DAYS = 36_500

/** Ids of one page, and where the next one starts. */
export const followersToTell = async (
  ctx: Pick<Context, 'call'>,
  author: string,
  after?: string,
): Promise<{ ids: string[]; next: string | null }> => {
  const { followers, next } = await ctx.call(audience, {
    author,
    after,
    limit: PAGE,
    activeDays: EVER_DAYS,
    notify: true,
  })
  return { ids: followers.filter((one) => one.notify).map((one) => one.id), next }
}
