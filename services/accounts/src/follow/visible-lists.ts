/** Decides whether a viewer may see the followers and the followed accounts of an account. */
import type { Context } from '../context.js'
import type { AccountRow } from '../core/account/store.js'
import { relationshipsOfViewer } from '../core/relationship/store.js'

/**
 * Whether a viewer may see the follow lists of an account. The lists are hidden if the account hides them, is
 * suspended, or blocks the viewer.
 */
export const showsFollows = async (
  ctx: Pick<Context, 'db' | 'clock'>,
  account: AccountRow,
  viewer: string | null,
): Promise<boolean> => {
  if (account.suspended) return false
  if (viewer === account.id) return true
  if (account.hide_collections) return false
  if (viewer === null) return true
  const [relationship] = await relationshipsOfViewer(ctx.db, viewer, [account.id], ctx.clock.date())
  return relationship !== undefined && !relationship.blocked_by
}
