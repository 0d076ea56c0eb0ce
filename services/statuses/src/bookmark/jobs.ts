/** The job that imports bookmarks: resolves each address and bookmarks its status. The job can be repeated at any point. */
import { importReport } from '@murmuration/contracts/accounts'
import { Failure, type JobData } from '@murmuration/contracts/kit'
import { readBookmarkFile } from '@murmuration/contracts/statuses'
import type { Context } from '../context.js'
import { lockIfNotDeleted } from '../core/status/store.js'
import { findStatus } from '../core/visibility/find-status.js'
import { work } from '../handlers.js'
import { resolveStatus } from '../remote/index.js'
import { deleteBookmarks, insertBookmark } from './store.js'

const CLEARED_AT_ONCE = 5_000
/** Depth 0: an import does not fetch the parents of a status. */
const NO_PARENTS = 0

/** Resolves an address and bookmarks the status. Returns false if the status cannot be found, or the account may not see it. */
const importBookmark = async (ctx: Context, account: string, uri: string): Promise<boolean> => {
  const id = await resolveStatus(ctx, uri, { depth: NO_PARENTS, behind: true })
  const found = id === null ? null : await findStatus(ctx, account, id)
  if (!found?.visible) return false
  const { original } = found
  return ctx.db.tx(async (tx) => {
    if (!(await lockIfNotDeleted(tx, original.id))) return false
    await insertBookmark(tx, ctx.ids.next(), account, original.id)
    return true
  })
}

/** A server that does not respond fails only the rows of the import with its addresses. */
const tried = (ctx: Context, account: string, uri: string): Promise<boolean> =>
  importBookmark(ctx, account, uri).catch((error) => {
    if (error instanceof Failure) return false
    throw error
  })

type Task = JobData<typeof readBookmarkFile>

const importPage = async (ctx: Context, { id, account, clear, rows }: Task): Promise<void> => {
  if (clear) {
    const gone = await ctx.db.tx(async (tx) => {
      const count = await deleteBookmarks(tx, account, CLEARED_AT_ONCE)
      if (count === CLEARED_AT_ONCE) await ctx.queue(tx, readBookmarkFile, { id, account, clear, rows })
      return count
    })
    if (gone < CLEARED_AT_ONCE) await ctx.call(importReport, { id, cleared: true, rows: [] })
    return
  }
  const imported = await Promise.all(rows.map((row) => tried(ctx, account, row.uri)))
  await ctx.call(importReport, {
    id,
    cleared: false,
    rows: rows.map((row, i) => ({ n: row.n, imported: imported[i] ?? false })),
  })
}

export const readBookmarkFileWork = work(readBookmarkFile, importPage, {
  // Without a report, the import would stay unfinished until it is deleted.
  async gaveUp(ctx, { id, clear, rows }) {
    const failed = rows.map(({ n }) => ({ n, imported: false }))
    await ctx.call(importReport, { id, cleared: false, clear_failed: clear, rows: failed })
  },
})
