/** Removes copies of remote attachments that are older than a number of days, and copies of pictures of remote accounts. */
import { attachmentInvalidation } from '@murmuration/contracts/media'
import type { Tx } from '@murmuration/db'
import { taskKind } from '@murmuration/kernel'
import { readTime } from '@murmuration/text'
import type { Context } from '../context.js'
import { deleteFiles } from '../core/file/store-files.js'
import { insertUnusedFiles } from '../core/file/unused.store.js'
import { removePictureCopies } from '../core/picture/store.js'
import { copiesBefore, pictureCopies, removeCopies } from './store.js'

const CHUNK = 500

export interface RemoveInput {
  /** ISO 8601 time. Copies made before it are removed. */
  before: string
  days: number
}

/** Inserts the keys of files without a row, and deletes the files after the commit. If the deletion fails, a tick repeats it. */
export const releaseFiles = async (ctx: Context, tx: Tx, keys: readonly string[]): Promise<void> => {
  await insertUnusedFiles(tx, keys, ctx.clock.date())
  tx.onCommit(() => {
    deleteFiles(ctx, keys)
  })
}

export const removeKind = taskKind<Context>()<RemoveInput>({
  name: 'remove-media',
  permission: 'view_devops',
  act: ({ days }) => ({ action: 'remove_media', target: `${days} days` }),
  async apply(ctx, tx, { input, after, dryRun }) {
    const before = new Date(readTime(input.before))
    const position = after === '' ? null : (JSON.parse(after) as { at: string; id: string })
    const found = await copiesBefore(tx, before, position, CHUNK)
    const ids = found.map((row) => row.id)
    const gone = dryRun ? found : await removeCopies(tx, ids, before)
    if (!dryRun) {
      await releaseFiles(
        ctx,
        tx,
        gone.flatMap((row) => row.keys),
      )
      tx.onCommit(() => ctx.invalidations.send(attachmentInvalidation, ids))
    }
    const last = found.at(-1)
    return {
      next: last && found.length === CHUNK ? JSON.stringify({ at: last.at, id: last.id }) : null,
      seen: found.length,
      changed: gone.length,
      bytes: gone.reduce((sum, row) => sum + row.size, 0),
    }
  },
})

/** Removes copies of avatars and headers of these accounts. Returns the number of removed copies and their size in bytes. */
export const deletePictures = async (
  ctx: Context,
  { owners, kinds, dry_run }: { owners: readonly string[]; kinds: readonly string[]; dry_run: boolean },
): Promise<{ pictures: number; bytes: number }> => {
  const found = await pictureCopies(ctx.db, owners, kinds)
  if (!dry_run && found.length > 0)
    await ctx.db.tx(async (tx) =>
      releaseFiles(
        ctx,
        tx,
        await removePictureCopies(
          tx,
          found.map((row) => row.id),
        ),
      ),
    )
  return { pictures: found.length, bytes: found.reduce((sum, row) => sum + row.size, 0) }
}
