/** Finds statuses that an activity of a remote actor names. A hidden status is treated as missing. */
import type { Context } from '../../context.js'
import { idByAddress } from '../address/find.js'
import type { StatusRow } from '../status/store.js'
import { type LoadedStatus, loadStatuses } from '../viewer/loaded-status.store.js'
import { relationshipsOf } from '../viewer/relationships.js'
import { authorsOf } from './find-status.js'
import { isVisible } from './shown.js'

/** The status with this id; of a boost, the original. Null if the actor may not see it or the boost. */
const visibleTo = async (ctx: Context, actor: string, id: string): Promise<LoadedStatus | null> => {
  const statuses = await loadStatuses(ctx.db, actor, [id])
  const given = statuses.get(id)
  const original = given?.reblog_of_id ? statuses.get(given.reblog_of_id) : given
  if (!given || !original) return null
  const relationships = await relationshipsOf(ctx, actor, authorsOf([given, original]))
  const access = { viewerId: actor, relationships }
  return isVisible(access, given) && isVisible(access, original) ? original : null
}

/** The status with this address; of a boost, the original. Returns null if the status is unknown or the actor may not see it. */
export const namedStatus = async (ctx: Context, actor: string, object: string | null): Promise<LoadedStatus | null> => {
  const id = object === null ? null : await idByAddress(ctx, ctx.db, object)
  return id === null ? null : visibleTo(ctx, actor, id)
}

/** Whether a status is public or unlisted. */
export const isOpen = ({ visibility }: Pick<StatusRow, 'visibility'>): boolean => visibility <= 1

/**
 * Whether a local status is neither public nor unlisted, and hidden from this actor. Any effect of an activity about
 * the status would reveal its existence and author. Remote statuses are not checked, because their remote followers and
 * mentioned accounts are not known here.
 */
export const isHiddenFrom = async (ctx: Context, actor: string, status: StatusRow): Promise<boolean> =>
  status.local && !isOpen(status) && (await visibleTo(ctx, actor, status.id)) === null
