/** Reads pages of the followers who enabled notifications for each status of an account (`notify` of the follow). */
import { audience } from '@murmuration/contracts/accounts'
import type { Context } from '../context.js'

const PAGE = 500
/**
 * Number of days within which a follower must have been active to be notified: 100 years. Followers who enabled
 * notifications get them even if they were inactive.
 */
const EVER_DAYS = 36_500

/** Returns the account ids of the page of followers after the cursor `after`, and the cursor of the next page, or null. */
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
