/**
 * Deletes statuses for staff, at once with their files. Remote statuses get a tombstone, so that deleted ones are not
 * stored again.
 */
import { statusInvalidation } from '@murmuration/contracts/statuses'
import type { Context } from '../context.js'
import { releaseMediaOf } from '../core/status/media.js'
import { lockAllForChange, rowsOf } from '../core/status/store.js'
import { insertTombstones } from '../core/status/tombstone.store.js'
import { removeStatus } from '../deletion/index.js'
import { originalsOf } from './store.js'

/** Deletes statuses of an author. Returns the ids that were deleted now. */
export const deleteForStaff = async (ctx: Context, author: string, ids: readonly string[]): Promise<string[]> => {
  const rows = await ctx.db.tx(async (tx) => {
    const own = (await originalsOf(tx, author, ids)).map((one) => one.id)
    const held = [...(await rowsOf(tx, await lockAllForChange(tx, own))).values()]
    const remote = held.filter((row) => !row.local).map((row) => row.uri)
    await insertTombstones(tx, author, remote)
    await removeStatus(ctx, tx, ...held)
    return held
  })
  const deleted = rows.map((row) => row.id)
  if (deleted.length === 0) return []
  ctx.invalidations.send(statusInvalidation, deleted)
  await releaseMediaOf(ctx, rows, true)
  return deleted
}
