/**
 * Job that runs an import, one page per run: first the removals of an overwriting import, then the rows. A run may be
 * repeated after a failure.
 */
import { bookmarksWanted, filtersWanted, IMPORT_STOPPED, importJob } from '@murmuration/contracts/accounts'
import { notYet } from '@murmuration/contracts/kit'
import type { Tx } from '@murmuration/db'
import { type JobMeta, queueNextOnce, requireLoaded } from '@murmuration/kernel'
import type { Context } from '../context.js'
import { lockName } from '../core/lock.store.js'
import { userByAccountId } from '../core/user/store.js'
import { work } from '../handlers.js'
import { clearForImport } from './clear.js'
import { importRow } from './row.js'
import {
  dueRows,
  failWaitingRows,
  finishImport,
  type ImportRow,
  importById,
  markAllDelegated,
  markCleared,
  markDelegated,
  nextDue,
  type RowOutcome,
  restartImport,
  storeOutcomes,
  type WaitingRow,
} from './store.js'

/** Number of rows of an import that one run processes. Each row may cause a request to another server. */
const PAGE = 10

/** Queues the next run of an import. A run that is repeated after its commit does not queue it again. */
const queueNext = (ctx: Context, tx: Tx, { id }: ImportRow, meta: JobMeta): Promise<void> =>
  queueNextOnce(tx, importJob, meta, () => ctx.queue(tx, importJob, { id }))

const clear = (ctx: Context, row: ImportRow, meta: JobMeta): Promise<void> =>
  ctx.db.tx(async (tx) => {
    const how = await clearForImport(ctx, tx, row)
    if (how === 'away') return
    if (how === 'cleared') await markCleared(tx, row.id)
    await queueNext(ctx, tx, row, meta)
  })

/** Announces a page of bookmarks of an import. The statuses service stores them and reports the outcomes. */
const sendPage = async (ctx: Context, tx: Tx, row: ImportRow): Promise<void> => {
  await lockName(tx, `import ${row.id}`)
  const rows = await dueRows(tx, row.id, ctx.clock.date(), PAGE)
  const nothing = rows.filter((one) => one.key === '')
  await storeOutcomes(
    tx,
    row.id,
    nothing.map((one) => ({ n: one.n, outcome: 'failed' as const })),
    ctx.clock.date(),
  )
  const real = rows.filter((one) => one.key !== '')
  await markDelegated(
    tx,
    row.id,
    real.map((one) => one.n),
  )
  if (real.length)
    await ctx.announce(tx, bookmarksWanted, {
      id: row.id,
      account: row.account_id,
      clear: false,
      rows: real.map(({ n, key, tries }) => ({ n, uri: key, ...(tries > 0 && { tries }) })),
    })
  else if ((await finishImport(tx, row.id)) === 'waiting') await ctx.queue(tx, importJob, { id: row.id })
}

/** Announces one page of bookmarks. A repeated run announces no second page. The report about a page queues the next run. */
const sendBookmarks = (ctx: Context, row: ImportRow, meta: JobMeta): Promise<void> =>
  ctx.db.tx((tx) => queueNextOnce(tx, importJob, meta, () => sendPage(ctx, tx, row)))

/** Announces that the filters of an import are ready. The statuses service requests all of them, and reports when they are stored. */
const sendFilters = ({ announce, db }: Context, { id, account_id: account, ...row }: ImportRow): Promise<void> =>
  db.tx(async (tx) => {
    await lockName(tx, `import ${id}`)
    const overwrite = row.overwrite && !row.cleared
    if (await markAllDelegated(tx, id)) await announce(tx, filtersWanted, { id, account, overwrite })
  })

/**
 * Imports a page of rows. An error on this server counts as a try of its row. Throws if each row has such an error in
 * its first try, because then the rows are probably not its cause.
 */
const importRows = async (ctx: Context, row: ImportRow, rows: readonly WaitingRow[]): Promise<RowOutcome[]> => {
  const results = await Promise.allSettled(rows.map((one) => importRow(ctx, row, one)))
  const errors = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []))
  if (errors.length === rows.length && rows.length > 0 && rows.every(({ tries }) => tries === 0)) throw errors[0]
  return results.map((result, i) => {
    if (result.status === 'fulfilled') return result.value
    const n = rows[i]?.n ?? 0
    ctx.log.warn({ error: result.reason, import: row.id, n }, 'a row of an import failed')
    return { n, outcome: 'again', problem: IMPORT_STOPPED }
  })
}

const workOff = async (ctx: Context, row: ImportRow, meta: JobMeta): Promise<void> => {
  // The job is repeated later, so that rows of unknown accounts keep their tries.
  requireLoaded(ctx.policy)
  const rows = await dueRows(ctx.db, row.id, ctx.clock.date(), PAGE)
  const outcomes = await importRows(ctx, row, rows)
  await ctx.db.tx(async (tx) => {
    await lockName(tx, `import ${row.id}`)
    await storeOutcomes(tx, row.id, outcomes, ctx.clock.date())
    if ((await finishImport(tx, row.id)) === 'waiting') await queueNext(ctx, tx, row, meta)
  })
}

/** Ends an import of an account that moved, or was disabled, suspended or marked as a memorial. Its rows get the outcome `failed`. */
const endRows = (ctx: Context, id: string): Promise<void> =>
  ctx.db.tx(async (tx) => {
    await lockName(tx, `import ${id}`)
    await failWaitingRows(tx, id, null)
    await finishImport(tx, id)
  })

/** Ends an import whose job was given up, because no other job continues it. Rows that another service processes stay. */
const gaveUp = (ctx: Context, id: string): Promise<void> =>
  ctx.db.tx(async (tx) => {
    await lockName(tx, `import ${id}`)
    if ((await importById(tx, id))?.state !== 'running') return
    await failWaitingRows(tx, id, IMPORT_STOPPED)
    await finishImport(tx, id)
  })

/** Throws an error after which the queue waits, if each waiting row of an import pauses because its server did not respond. */
const requireDue = async (ctx: Context, id: string): Promise<void> => {
  const now = ctx.clock.date()
  if ((await dueRows(ctx.db, id, now, 1)).length > 0) return
  const due = await nextDue(ctx.db, id)
  const wait = due === null ? 0 : due.getTime() - now.getTime()
  if (wait > 0) throw notYet('Some rows cannot be imported yet', { retryAfter: Math.ceil(wait / 1_000) })
}

/** Imports the next page of rows. */
const importPage = async (ctx: Context, row: ImportRow, meta: JobMeta): Promise<void> => {
  await requireDue(ctx, row.id)
  if (row.kind === 'bookmarks') await sendBookmarks(ctx, row, meta)
  else await workOff(ctx, row, meta)
}

const runPage = async (ctx: Context, id: string, meta: JobMeta): Promise<void> => {
  const row = await importById(ctx.db, id)
  if (row?.state !== 'running') return
  const user = await userByAccountId(ctx.db, row.account_id)
  if (user === null || user.disabled || user.suspended || user.memorial || user.moved) await endRows(ctx, id)
  else if (row.kind === 'filters') await sendFilters(ctx, row)
  else if (row.overwrite && !row.cleared) await clear(ctx, row, meta)
  else await importPage(ctx, row, meta)
  await ctx.faults.reach('import.page')
}

/** Restarts the import of a restored job, and queues its first run. A repeated run does not restart it again. */
const restart = (ctx: Context, id: string, meta: JobMeta): Promise<void> =>
  ctx.db.tx((tx) =>
    queueNextOnce(tx, importJob, meta, async () => {
      await lockName(tx, `import ${id}`)
      await restartImport(tx, id)
      if ((await importById(tx, id))?.state === 'running') await ctx.queue(tx, importJob, { id })
    }),
  )

export const importWork = work(
  importJob,
  (ctx, { id, restored = false }, meta) => (restored ? restart(ctx, id, meta) : runPage(ctx, id, meta)),
  {
    gaveUp: (ctx, { id }) => gaveUp(ctx, id),
    restored: (data) => ({ ...data, restored: true }),
  },
)
