/** Suggestions: featured by staff, followed by accounts that the viewer follows, followed by many. */
import type { Context } from '../context.js'
import { accountsByHandles } from '../core/account.store.js'
import { handleKeyOf } from '../core/handle.rules.js'
import { handlesIn, type Suggested, suggestionsFrom } from './rules.js'
import { friendsOfFriends, recommended, worthFollowing } from './store.js'

/** Candidates of each source. */
const MOST = 40

/** Accounts that staff wants newcomers to meet, in the order of the setting. */
const featuredByStaff = async (ctx: Context, viewer: string, at: Date): Promise<string[]> => {
  const keys = handlesIn(ctx.policy.settings().bootstrap_timeline_accounts)
    .map((handle) => handleKeyOf(handle, ctx.site))
    .filter((key) => key !== null)
  const rows = await accountsByHandles(ctx.db, keys)
  const idOf = new Map(rows.map((row) => [`${row.username.toLowerCase()}@${row.domain ?? ''}`, row.id]))
  const ids = keys.flatMap((key) => idOf.get(`${key.username}@${key.domain ?? ''}`) ?? [])
  return worthFollowing(ctx.db, viewer, ids.slice(0, MOST), at)
}

/** A page of suggestions; the skeleton, without the accounts themselves. */
export const suggestionsFor = async (
  ctx: Context,
  viewer: string,
  page: { limit: number; offset: number },
): Promise<Suggested[]> => {
  const at = ctx.clock.date()
  const [featured, friends, many] = await Promise.all([
    featuredByStaff(ctx, viewer, at),
    friendsOfFriends(ctx.db, viewer, MOST, at),
    recommended(ctx.db, viewer, MOST, at),
  ])
  return suggestionsFrom([
    ['featured', featured],
    ['friends_of_friends', friends],
    ['most_followed', many],
  ]).slice(page.offset, page.offset + page.limit)
}
