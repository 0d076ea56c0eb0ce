/** The job that imports bookmarks: resolves each address and bookmarks its status. The job can be repeated at any point. */
import { checkImportRemoval, IMPORT_STOPPED, importReport } from '@murmuration/contracts/accounts'
import { defectIn, isRetryable, type JobData } from '@murmuration/contracts/kit'
import { readBookmarkFile } from '@murmuration/contracts/statuses'
import { type JobMeta, queueNextOnce, requireLoaded } from '@murmuration/kernel'
import type { Context } from '../context.js'
import { idsByAddress } from '../core/address/find.js'
import { lockIfNotDeleted } from '../core/status/store.js'
import { loadStatuses } from '../core/viewer/loaded-status.store.js'
import { findStatus } from '../core/visibility/find-status.js'
import { work } from '../handlers.js'
import { nextRun, reachStatus, requireDue } from '../remote/index.js'
import { deleteBookmarks, hasBookmarks, insertBookmark } from './store.js'

const CLEARED_AT_ONCE = 5_000
/** Depth 0: an import does not fetch the parents of a status. */
const NO_PARENTS = 0

interface Outcome {
  imported: boolean
  /** True if the server of the status cannot be read now, or the row causes an error on this server. */
  later: boolean
  /** True if the cause is a rate limit of this server. */
  limited?: boolean
  /** Reason that is shown to the user if no further try follows. */
  problem?: string
}

/** Resolves an address and bookmarks the status, unless it cannot be found, or the account may not see it. */
const importBookmark = async (ctx: Context, account: string, uri: string): Promise<Outcome> => {
  const { id, later, limited } = await reachStatus(ctx, uri, { depth: NO_PARENTS, behind: true })
  const found = id === null ? null : await findStatus(ctx, account, id)
  if (!found?.visible) return { imported: false, later, limited }
  const { original } = found
  const imported = await ctx.db.tx(async (tx) => {
    if (!(await lockIfNotDeleted(tx, original.id))) return false
    await insertBookmark(tx, ctx.ids.next(), account, original.id)
    return true
  })
  return { imported, later: false }
}

/** A server that does not respond fails only the rows of the import with its addresses. */
const tried = (ctx: Context, account: string, uri: string): Promise<Outcome> =>
  importBookmark(ctx, account, uri).catch((error) => {
    const defect = defectIn(error)
    if (defect !== null) throw defect
    return { imported: false, later: isRetryable(error) }
  })

type Task = JobData<typeof readBookmarkFile>

/**
 * Imports a page of rows. A row that causes an error on this server is tried again. Throws if each row has such an error in
 * its first try, because then the rows are probably not its cause.
 */
const importRows = async (
  ctx: Context,
  { id, account, rows, silent = 0 }: Task,
): Promise<(Outcome & Task['rows'][number])[]> => {
  const results = await Promise.allSettled(rows.map(({ uri }) => tried(ctx, account, uri)))
  const errors = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []))
  const isFirstTry = silent === 0 && rows.every(({ tries = 0 }) => tries === 0)
  if (errors.length === rows.length && rows.length > 0 && isFirstTry) throw errors[0]
  return rows.map((row, i) => {
    const result = results[i]
    if (result?.status === 'fulfilled') return { ...row, ...result.value }
    ctx.log.warn({ error: result?.reason, import: id, n: row.n }, 'a row of an import failed')
    return { ...row, imported: false, later: true, problem: IMPORT_STOPPED }
  })
}

/** Removes a page of bookmarks for an overwriting import, unless the import has ended or its bookmarks were removed. */
const removePage = async (ctx: Context, task: Task, meta: JobMeta): Promise<void> => {
  const { id, account } = task
  const { due } = await ctx.call(checkImportRemoval, { id, account })
  if (!due) return
  const gone = await ctx.db.tx(async (tx) => {
    const count = await deleteBookmarks(tx, account, CLEARED_AT_ONCE)
    if (count === CLEARED_AT_ONCE)
      await queueNextOnce(tx, readBookmarkFile, meta, () => ctx.queue(tx, readBookmarkFile, task))
    return count
  })
  if (gone < CLEARED_AT_ONCE) await ctx.call(importReport, { id, cleared: true, rows: [] })
}

/**
 * Imports a page of bookmarks, and reports the rows with a result. The other rows wait for a later page. If the
 * import has no later page, because it is finished, a further run of this job repeats them.
 */
const importPage = async (ctx: Context, task: Task, meta: JobMeta): Promise<void> => {
  const { id, restart } = task
  requireDue(ctx, task)
  // Unknown statuses are not fetched while the instance policy is not loaded.
  requireLoaded(ctx.policy)
  const outcomes = await importRows(ctx, task)
  const report = (done: typeof outcomes, later: typeof outcomes) =>
    ctx.call(importReport, {
      id,
      cleared: false,
      restart,
      rows: done.map(({ n, imported, problem }) => ({ n, imported, problem })),
      later: later.map(({ n, limited, problem }) => ({ n, limited, problem })),
    })
  const [silent, done] = [outcomes.filter((one) => one.later), outcomes.filter((one) => !one.later)]
  const { repeats = false } = await report(done, silent)
  if (repeats || silent.length === 0) return
  const next = nextRun(
    ctx,
    task,
    silent.some((one) => one.limited),
  )
  if (next === null) {
    await report(silent, [])
    return
  }
  const again = { ...task, ...next, rows: silent.map(({ n, uri, tries }) => ({ n, uri, tries })) }
  await ctx.db.tx((tx) => queueNextOnce(tx, readBookmarkFile, meta, () => ctx.queue(tx, readBookmarkFile, again)))
}

/** Reports which rows are bookmarked, or whether the bookmarks are removed, although the job was given up. */
const gaveUp = async (ctx: Context, { id, account, clear, rows }: Task): Promise<void> => {
  if (clear) {
    const failed = await hasBookmarks(ctx.db, account)
    await ctx.call(importReport, { id, cleared: !failed, clear_failed: failed, rows: [] })
    return
  }
  const ids = await idsByAddress(
    ctx,
    ctx.db,
    rows.map(({ uri }) => uri),
  )
  const statuses = await loadStatuses(ctx.db, account, [...new Set(ids.values())])
  const isBookmarked = (uri: string): boolean => {
    const status = statuses.get(ids.get(uri) ?? '')
    return (status?.reblog_of_id ? statuses.get(status.reblog_of_id) : status)?.bookmarked ?? false
  }
  const outcomes = rows.map(({ n, uri }) => {
    const imported = isBookmarked(uri)
    return { n, imported, ...(!imported && { problem: IMPORT_STOPPED }) }
  })
  await ctx.call(importReport, { id, cleared: false, rows: outcomes })
}

export const readBookmarkFileWork = work(
  readBookmarkFile,
  (ctx, task, meta) => (task.clear ? removePage(ctx, task, meta) : importPage(ctx, task, meta)),
  {
    // Without a report, the import would stay unfinished until it is deleted.
    gaveUp,
    // The user may have bookmarked statuses since, so none are removed. The import may have ended early, so it starts again.
    restored: (data) => ({ ...data, silent: 0, clear: false, restart: true }),
  },
)
