/** The thread around a status, for a viewer. */
import type { Context as Thread } from '@murmuration/contracts/entities'
import { type Json, jsonArray } from '@murmuration/contracts/kit'
import { limits } from '@murmuration/contracts/limits'
import type { Context } from '../context.js'
import { hydrate } from '../core/render/hydrate.js'
import { presentAll } from '../core/render/show-status.js'
import { ancestorsOf, descendantsOf } from '../core/reply/thread.store.js'
import { threadOrder } from './rules.js'

/** JSON of the thread. Anonymous viewers receive a smaller part (S-093, S-208). */
export const showThreadAround = async (ctx: Context, viewerId: string | null, id: string): Promise<Json<Thread>> => {
  const max = viewerId === null ? limits.threads.signedOut : limits.threads.signedIn
  const [above, below] = await Promise.all([
    ancestorsOf(ctx.db, id, max.ancestors),
    descendantsOf(ctx.db, viewerId, id, max.descendants, max.depth),
  ])
  const state = await hydrate(ctx, viewerId, [...above, ...below], 'thread')
  const ordered = threadOrder(
    below.flatMap((one) => {
      const fact = state.facts.get(one)
      return fact ? [{ id: one, authorId: fact.author_id, inReplyToAccountId: fact.in_reply_to_account_id }] : []
    }),
  )
  const ancestors = jsonArray(presentAll(state, above.toReversed()))
  const descendants = jsonArray(presentAll(state, ordered))
  return `{"ancestors":${ancestors},"descendants":${descendants}}` as Json<Thread>
}
