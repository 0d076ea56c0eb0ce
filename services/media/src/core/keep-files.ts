/** Files and rows together: a file without a row, or a row without its file, never stays, whatever dies meanwhile (F075, F076). */
import { fail } from '@murmuration/contracts/kit'
import type { Tx } from '@murmuration/db'
import type { Context } from '../context.js'
import type { Keeping, Twin } from './files.js'
import { dueNow, expectFiles, forgetFiles, holdFiles, takeFiles } from './loose-file.store.js'

type Part = Pick<Context, 'db' | 'files' | 'clock' | 'log'>

/** Storing and committing takes seconds; who needs longer has died. */
const PATIENCE_MS = 3_600_000

const again = () =>
  fail('unavailable', 'There was a temporary problem serving your request, please try again', { retryAfter: 5 })

/** Stores files, then runs the transaction whose rows hold them. When it fails, the files go by the next sweep. */
export const keepFiles = async <T>(
  ctx: Part,
  files: readonly (Keeping | Twin)[],
  work: (tx: Tx, bytes: number) => Promise<T>,
): Promise<T> => {
  const keys = files.map((file) => file.key)
  const due = new Date(ctx.clock.now() + PATIENCE_MS)
  if ((await expectFiles(ctx.db, keys, due)) < keys.length) throw again()
  try {
    const bytes = await ctx.files.keep(files)
    return await ctx.db.tx(async (tx) => {
      if (!(await holdFiles(tx, keys))) throw again()
      return work(tx, bytes)
    })
  } catch (error) {
    // Whether the commit happened may be unknown here; what is noted as loose says it.
    await dueNow(ctx.db, keys, ctx.clock.date()).catch(() => 0)
    throw error
  }
}

/** Deletes files that a committed transaction loosened, unless a row came to hold them since; what fails here is done by the sweep. */
export const dropFiles = async (ctx: Part, keys: readonly string[]): Promise<void> => {
  if (keys.length === 0) return
  try {
    const dying = await takeFiles(ctx.db, keys, ctx.clock.date())
    await ctx.files.delete(dying)
    await forgetFiles(ctx.db, dying)
  } catch (error) {
    ctx.log.warn({ error, files: keys.length }, 'files that nobody needs are left to the sweep')
  }
}
