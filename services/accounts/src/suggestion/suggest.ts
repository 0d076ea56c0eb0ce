/**
 * Suggests accounts to a viewer: accounts that staff feature or followees of the viewer follow, and the most followed
 * accounts.
 */
import type { Context } from '../context.js'
import { accountsByHandles } from '../core/account/store.js'
import { handleKeyOf } from '../core/address/handle.rules.js'
import { handlesIn, type Suggested, suggestionsFrom } from './rules.js'
import { friendsOfFriends, recommended, suggestableAmong } from './store.js'

/** Maximum number of candidates per source. */
const MAX_CANDIDATES = 40

/** Accounts that staff feature for new users, in the order of the setting. */
const featuredByStaff = async (ctx: Context, viewer: string, at: Date): Promise<string[]> => {
  const keys = handlesIn(ctx.policy.settings().bootstrap_timeline_accounts)
    .map((handle) => handleKeyOf(handle, ctx.site))
    .filter((key) => key !== null)
  const rows = await accountsByHandles(ctx.db, keys)
  const idOf = new Map(rows.map((row) => [`${row.username.toLowerCase()}@${row.domain ?? ''}`, row.id]))
  const ids = keys.flatMap((key) => idOf.get(`${key.username}@${key.domain ?? ''}`) ?? [])
  return suggestableAmong(ctx.db, viewer, ids.slice(0, MAX_CANDIDATES), at)
}

/** Skeleton of a page of suggestions: account ids with reasons. */
export const suggestionsFor = async (
  ctx: Context,
  viewer: string,
  page: { limit: number; offset: number },
): Promise<Suggested[]> => {
  const at = ctx.clock.date()
  const [featured, friends, many] = await Promise.all([
    featuredByStaff(ctx, viewer, at),
    friendsOfFriends(ctx.db, viewer, MAX_CANDIDATES, at),
    recommended(ctx.db, viewer, MAX_CANDIDATES, at),
  ])
  return suggestionsFrom([
    ['featured', featured],
    ['friends_of_friends', friends],
    ['most_followed', many],
  ]).slice(page.offset, page.offset + page.limit)
}
