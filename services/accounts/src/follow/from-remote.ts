/** Decides on a Follow of a remote actor: accepted, pending, or refused. */
import type { Tx } from '@murmuration/db'
import type { Context } from '../context.js'
import type { AccountRow } from '../core/account/store.js'
import { updateUri } from '../core/follow/store.js'
import { relationsOfViewer } from '../core/relationship/store.js'
import { beginFollow, requestFollow } from './begin.js'
import { DEFAULT_FOLLOW_OPTIONS } from './rules.js'

/**
 * Stores the follow or request. The caller has locked the pair. A repeated Follow replaces the activity id and gets a
 * new response.
 */
export const followFromRemote = async (
  ctx: Pick<Context, 'announce' | 'invalidations' | 'ids' | 'clock'>,
  tx: Tx,
  from: AccountRow,
  to: AccountRow,
  uri: string | null,
): Promise<'done' | 'pending' | 'refused'> => {
  if (to.suspended || !to.usable || to.moved_to_id !== null || from.suspended) return 'refused'
  const [relation] = await relationsOfViewer(tx, to.id, [from.id], { at: ctx.clock.date(), withSuspended: true })
  if (!relation || relation.blocking || relation.domain_blocking) return 'refused'
  const pair = { from: from.id, to: to.id }
  if (relation.followed_by) {
    if (uri !== null) await updateUri(tx, 'follows', pair, uri)
    return 'done'
  }
  if (relation.requested_by) {
    if (uri !== null) await updateUri(tx, 'follow_requests', pair, uri)
    return 'pending'
  }
  if (to.locked || from.silenced) {
    await requestFollow(ctx, tx, from, to, DEFAULT_FOLLOW_OPTIONS, uri)
    return 'pending'
  }
  await beginFollow(ctx, tx, from, to, DEFAULT_FOLLOW_OPTIONS, uri)
  return 'done'
}
