/** Deletes a remote status, after a Delete of its author or because its server no longer has it. */
import { statusInvalidation } from '@murmuration/contracts/statuses'
import type { Context } from '../context.js'
import { idsByUri, lockForChange, rowsOf } from '../core/status/store.js'
import { insertTombstones, lockUri } from '../core/status/tombstone.store.js'
import { removeStatus } from '../deletion/index.js'

/**
 * Deletes the status with this uri and stores a tombstone, so that a late Create has no effect. The caller has checked
 * that the uri has the author's origin.
 */
export const endRemote = async (
  ctx: Context,
  uri: string,
  author: string,
): Promise<'removed' | 'unknown' | 'refused'> => {
  const [outcome, id] = await ctx.db.tx(async (tx) => {
    await lockUri(tx, uri)
    const known = (await idsByUri(tx, [uri])).get(uri)
    const row = known === undefined ? undefined : (await rowsOf(tx, [known])).get(known)
    if (row && (row.author_id !== author || row.local)) return ['refused' as const]
    await insertTombstones(tx, author, [uri])
    if (!row || !(await lockForChange(tx, row.id, author))) return ['unknown' as const]
    await removeStatus(ctx, tx, row)
    return ['removed' as const, row.id]
  })
  if (id !== undefined) ctx.invalidations.send(statusInvalidation, [id])
  return outcome
}
