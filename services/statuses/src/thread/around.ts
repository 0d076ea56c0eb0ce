/** Renders the thread around a status, for a viewer. */
import type { Context as Thread } from '@murmuration/contracts/entities'
import { type Json, jsonArray } from '@murmuration/contracts/kit'
import { limits } from '@murmuration/contracts/limits'
import type { Context } from '../context.js'
import { hydrate } from '../core/render/hydrate.js'
import { presentAll } from '../core/render/show-status.js'
import { ancestorsOf, descendantsOf, type InThread } from '../core/reply/thread.store.js'
import { loadPageOfStatuses } from '../core/viewer/loaded-status.js'
import { relationshipsOf } from '../core/viewer/relationships.js'
import { NO_ID } from '../core/visibility/find-status.js'
import { threadOrder, withinBytes } from './rules.js'

/**
 * Maximum bytes of the texts of the ancestors, and of the descendants, that are read for one thread. A remote server may
 * send thousands of replies of 100 KB each.
 */
const MAX_TEXTS = 8_000_000
/**
 * Maximum length of the JSON of the ancestors, and of the descendants. Each status contains its author and its quoted
 * status, which may be long too.
 */
const MAX_JSON = 16_000_000

/**
 * JSON of the thread. Anonymous viewers receive a smaller part (S-093, S-208).
 *
 * Replies that the viewer may not see are left out before anything is loaded for them. Relationships are requested even
 * without replies, so that a hidden reply causes the same statements and requests as none. Meanwhile, the ancestors and
 * the replies that are not followers-only are read.
 */
export const showThreadAround = async (ctx: Context, viewerId: string | null, id: string): Promise<Json<Thread>> => {
  const max = viewerId === null ? limits.threads.signedOut : limits.threads.signedIn
  const [allAbove, allBelow] = await Promise.all([
    ancestorsOf(ctx.db, id, max.ancestors),
    descendantsOf(ctx.db, viewerId, id, max.descendants, max.depth),
  ])
  const [above, below] = [
    withinBytes(allAbove, (one) => one.bytes, MAX_TEXTS),
    withinBytes(allBelow, (one) => one.bytes, MAX_TEXTS),
  ]
  const authors = [...above, ...below].map(({ author }) => author ?? NO_ID)
  const ids = above.map((one) => one.id)
  const open = below.filter((one) => !one.followersOnly).map((one) => one.id)
  const [relationships, openStatuses] = await Promise.all([
    relationshipsOf(ctx, viewerId, [...authors, NO_ID]),
    loadPageOfStatuses(ctx, viewerId, [...ids, ...open]),
  ])
  const isSeen = ({ followersOnly, author }: InThread) =>
    !followersOnly || relationships.get(author)?.following === true
  const seen = below.filter(isSeen)
  const forFollowers = seen.filter((one) => one.followersOnly).map((one) => one.id)
  const statuses = new Map([...openStatuses, ...(await loadPageOfStatuses(ctx, viewerId, forFollowers))])
  const state = await hydrate(ctx, viewerId, [...statuses.keys()], 'thread', { statuses, relationships })
  const ordered = threadOrder(
    seen.flatMap(({ id: one }) => {
      const status = state.statuses.get(one)
      return status ? [{ id: one, authorId: status.author_id, inReplyToAccountId: status.in_reply_to_account_id }] : []
    }),
  )
  const shown = (some: readonly string[]) =>
    jsonArray(withinBytes(presentAll(state, some), (text) => text.length, MAX_JSON))
  const [ancestors, descendants] = [shown(ids.toReversed()), shown(ordered)]
  return `{"ancestors":${ancestors},"descendants":${descendants}}` as Json<Thread>
}
