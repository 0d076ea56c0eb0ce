/** Writes a requested archive. A retry starts from the beginning, under the same blob key. */
import { localActors } from '@murmuration/contracts/accounts'
import { archiveReady, makeArchiveJob } from '@murmuration/contracts/federation'
import { PermanentError } from '@murmuration/kernel'
import type { Context } from '../context.js'
import { expiryOf, isAged } from '../core/archive/rules.js'
import { work } from '../handlers.js'
import { type ArchiveRow, archiveById, failArchive, finishArchive } from './store.js'
import { writeArchive } from './write.js'

const GiB = 1_073_741_824
/** Largest archive in bytes. The limit is larger than archives of real accounts, and protects the disk. */
const MAX_BYTES = 50 * GiB

/** Deletes the file that was just written, if the archive was deleted meanwhile or is due for deletion. */
const deleteUnwanted = async (ctx: Pick<Context, 'db' | 'blobs'>, { id, key }: ArchiveRow): Promise<void> => {
  const left = await archiveById(ctx.db, id)
  if (left && !isAged(left)) return
  await ctx.blobs.delete([key])
  // The tick keeps the row of a waiting archive.
  if (left) await failArchive(ctx.db, id)
}

export const makeArchive = work(
  makeArchiveJob,
  async (ctx, { id, restored = false }) => {
    const row = await archiveById(ctx.db, id)
    if (row === null && restored) throw new PermanentError('the archive no longer exists')
    // A copy of the job may be delivered after the job was given up. Only an operator's replay writes a failed archive.
    if (row === null || !(row.state === 'waiting' || (restored && row.state === 'failed'))) return
    const { actors } = await ctx.call(localActors, { ids: [row.account_id] })
    const [account] = actors
    if (!account || account.domain !== null) return failArchive(ctx.db, id)
    const size = await writeArchive(ctx, account, row.key, MAX_BYTES)
    const isReady = await ctx.db.tx(async (tx) => {
      if (!(await finishArchive(tx, id, { size, at: ctx.clock.date(), failed: restored }))) return false
      const expires_at = expiryOf(row.created_at).toISOString()
      await ctx.announce(tx, archiveReady, { id, account: row.account_id, size, expires_at })
      return true
    })
    if (!isReady) await deleteUnwanted(ctx, row)
  },
  // `nextArchiveAt` (`core/archive/rules.ts`) ignores failed archives, so the owner can request another archive at once.
  { gaveUp: (ctx, { id }) => failArchive(ctx.db, id), restored: (data) => ({ ...data, restored: true }) },
)
