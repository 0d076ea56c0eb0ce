/** Followers that enabled notifications of each status of an account (`notify` of the follow), page by page. */
import { audience } from '@murmuration/contracts/accounts'
import type { Context } from '../context.js'

const PAGE = 500
/** Days within which a follower must have been active: 100 years, because followers who enabled notifications always get them. */
const EVER_DAYS = 36_500

/** Account ids of the page after cursor `after`, and the cursor of the next page, or null. */
export const followersToNotify = async (
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
