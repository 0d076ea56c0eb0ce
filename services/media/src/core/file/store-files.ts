/**
 * Stores and deletes files together with their rows. No file stays without a row, and no row without its file, even
 * after a crash (F075, F076).
 */
import { fail } from '@murmuration/contracts/kit'
import type { Tx } from '@murmuration/db'
import type { Context } from '../../context.js'
import type { FileToCopy, FileToStore } from './files.js'
import { claimFiles, deleteFileRows, makeFilesDue, reserveFileKeys, startDeletions } from './unused.store.js'

type Part = Pick<Context, 'db' | 'files' | 'clock' | 'log'>

/**
 * Time in milliseconds (one hour) after which storing files counts as failed if no row refers to them. Storing files
 * usually takes seconds.
 */
const PATIENCE_MS = 3_600_000

const again = () =>
  fail('unavailable', 'There was a temporary problem serving your request, please try again', { retryAfter: 5 })

/**
 * Stores files, then runs the transaction whose rows refer to them. If either fails, the files become due for deletion.
 * A tick then deletes those to which no committed row refers.
 */
export const storeFiles = async <T>(
  ctx: Part,
  files: readonly (FileToStore | FileToCopy)[],
  work: (tx: Tx, bytes: number) => Promise<T>,
): Promise<T> => {
  const keys = files.map((file) => file.key)
  const due = new Date(ctx.clock.now() + PATIENCE_MS)
  if ((await reserveFileKeys(ctx.db, keys, due)) < keys.length) throw again()
  try {
    const bytes = await ctx.files.store(files)
    return await ctx.db.tx(async (tx) => {
      if (!(await claimFiles(tx, keys))) throw again()
      return work(tx, bytes)
    })
  } catch (error) {
    // If the connection is lost during the commit, its result is unknown. A committed transaction has removed its keys
    // from the unused files, so they do not become due. The tick keeps copies to which a row refers.
    await makeFilesDue(ctx.db, keys, ctx.clock.date()).catch(() => 0)
    throw error
  }
}

/**
 * Deletes files that a committed transaction released, unless a row refers to them again. After an error, a tick
 * deletes these files.
 */
export const deleteFiles = async (ctx: Part, keys: readonly string[]): Promise<void> => {
  if (keys.length === 0) return
  try {
    const dying = await startDeletions(ctx.db, keys, ctx.clock.date())
    await ctx.files.delete(dying)
    await deleteFileRows(ctx.db, dying)
  } catch (error) {
    ctx.log.warn({ error, files: keys.length }, 'unused files were not deleted')
  }
}
