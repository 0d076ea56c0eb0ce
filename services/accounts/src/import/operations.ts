/** Handlers of imports. */
import {
  checkImportRemoval,
  confirmImport as confirmImportOperation,
  createImport,
  IMPORT_STOPPED,
  importFailures,
  importFilters,
  importJob,
  importReport,
  listImports,
  removeImport,
  showImport,
} from '@murmuration/contracts/accounts'
import { fail } from '@murmuration/contracts/kit'
import { chunk } from '@murmuration/flow'
import { lockName } from '../core/lock.store.js'
import { accountOfSession } from '../core/session/signed-in.js'
import type { SessionRow } from '../core/session/store.js'
import { COLUMNS, guarded } from '../core/table.rules.js'
import { handle } from '../handlers.js'
import { readImport } from './file.js'
import { shownFilter } from './filter.rules.js'
import { importView, ownImport } from './own.js'
import {
  confirmImport,
  countStoppedPage,
  countUnfinished,
  deleteUnconfirmed,
  failWaitingRows,
  finishImport,
  importById,
  importOf,
  importRowsAfter,
  importsOf,
  insertImport,
  insertImportRows,
  markCleared,
  problemRows,
  restartImport,
  storeOutcomes,
} from './store.js'

/** Returns recent imports of the user. */
export const list = handle(listImports, async (ctx, _viewer, { session }) => {
  const { account } = await accountOfSession(ctx, session)
  return { imports: (await importsOf(ctx.db, account.id)).map(importView) }
})

const SAMPLE = 10
const MAX_PROBLEMS = 50

/** Returns one import with its first rows, and the first rows with problems. */
export const show = handle(showImport, async (ctx, _viewer, { session, id }) => {
  const row = await ownImport(ctx, session, id)
  const [rows, problems] = await Promise.all([
    importRowsAfter(ctx.db, id, 'every', 0, SAMPLE),
    problemRows(ctx.db, id, MAX_PROBLEMS),
  ])
  return {
    import: importView(row),
    sample: rows.map(({ cells }) => (row.kind === 'filters' ? shownFilter(cells) : cells)),
    problems: problems.map(({ n, cells, problem }) => ({ n, name: cells[0] ?? '', problem })),
  }
})

const MAX_AT_ONCE = 10
const ROWS_OF_AN_INSERT = 5_000
const MAX_NAME = 200

const refuseMoved = (user: Pick<SessionRow, 'moved'>): void => {
  if (user.moved) throw fail('forbidden', 'Your login is currently disabled')
}

/** Stores an uploaded table as an import. Nothing is imported before the user confirms it. */
export const create = handle(createImport, async (ctx, _viewer, { session, kind, overwrite, file }) => {
  const { account, user } = await accountOfSession(ctx, session)
  refuseMoved(user)
  const { rows, likelyKind } = await readImport(ctx, kind, file)
  const id = ctx.ids.next()
  await ctx.db.tx(async (tx) => {
    await lockName(tx, `imports ${account.id}`)
    if ((await countUnfinished(tx, account.id)) >= MAX_AT_ONCE)
      throw fail('unprocessable', 'Too many imports are waiting. Wait until some are done.')
    await insertImport(
      tx,
      {
        id,
        account_id: account.id,
        kind,
        likely_kind: likelyKind,
        overwrite,
        name: file.name.slice(0, MAX_NAME),
        total: rows.length,
      },
      ctx.clock.date(),
    )
    // Even the largest table is stored with only four inserts.
    for (const [i, some] of chunk(rows, ROWS_OF_AN_INSERT).entries())
      await insertImportRows(tx, id, i * ROWS_OF_AN_INSERT + 1, some)
  })
  const row = await importOf(ctx.db, account.id, id)
  if (!row) throw new Error('a stored import is gone')
  return importView(row)
})

/** Confirms an import and queues its first job. A repeated request has no effect. */
export const beginImport = handle(confirmImportOperation, async (ctx, _viewer, { session, id }) => {
  refuseMoved((await accountOfSession(ctx, session)).user)
  await ownImport(ctx, session, id)
  await ctx.db.tx(async (tx) => {
    if (await confirmImport(tx, id)) await ctx.queue(tx, importJob, { id })
  })
  return importView(await ownImport(ctx, session, id))
})

/** Deletes an import that was not confirmed. */
export const remove = handle(removeImport, async (ctx, _viewer, { session, id }) => {
  const { account } = await accountOfSession(ctx, session)
  return { removed: await deleteUnconfirmed(ctx.db, account.id, id) }
})

const PAGE = 1_000

/** Returns failed rows of an import, in the format of the file. A filter is one cell of JSON. */
export const getImportFailures = handle(importFailures, async (ctx, _viewer, { session, id, after }) => {
  const { kind } = await ownImport(ctx, session, id)
  const rows = await importRowsAfter(ctx.db, id, 'failed', Number(after ?? 0), PAGE)
  const head = after === undefined && kind !== 'filters' ? [[...COLUMNS[kind]]] : []
  const failed = rows.map(({ cells }) => (kind === 'filters' ? cells.slice(1) : cells.map(guarded)))
  return { rows: [...head, ...failed], next: rows.length === PAGE ? String(rows.at(-1)?.n ?? 0) : null }
})

const FILTER_PAGE = 100

/** Returns a page of the filters of an import. The statuses service stores these filters (A058). */
export const getImportFilters = handle(
  importFilters,
  async (ctx, _viewer, { id, account, after, finished = false }) => {
    const row = await importOf(ctx.db, account, id)
    const which = row?.state === 'running' ? 'every' : finished && row?.state === 'finished' ? 'failed' : null
    const isRead = row?.kind === 'filters' && which !== null
    const rows = isRead ? await importRowsAfter(ctx.db, id, which, after, FILTER_PAGE) : []
    return {
      rows: rows.map(({ n, cells }) => ({ n, document: cells[1] ?? '' })),
      next: rows.length === FILTER_PAGE ? (rows.at(-1)?.n ?? null) : null,
    }
  },
)

/** Whether the statuses service may remove the bookmarks of the account for this import. */
export const checkRemoval = handle(checkImportRemoval, async (ctx, _viewer, { id, account }) => {
  const row = await importOf(ctx.db, account, id)
  return { due: row?.state === 'running' && row.overwrite && !row.cleared }
})

/**
 * An import of bookmarks ends when this many pages were given up and no row was imported after the first of them. Each
 * further page would use up all tries of its job, which takes hours for a large import.
 */
const GIVEN_UP_PAGES = 2

/** Stores the outcomes of rows that the statuses service processed, and queues the job for the next rows. */
export const reportImport = handle(importReport, async (ctx, _viewer, input) => {
  const { id, cleared, clear_failed = false, restart = false, rows, later = [] } = input
  const outcomes = rows.map(({ n, imported, problem }) => ({
    n,
    outcome: imported ? ('imported' as const) : ('failed' as const),
    problem,
  }))
  const waiting = later.map(({ n, limited, problem }) => ({
    n,
    outcome: limited ? ('limited' as const) : ('again' as const),
    problem,
  }))
  const now = ctx.clock.date()
  return ctx.db.tx(async (tx) => {
    await lockName(tx, `import ${id}`)
    const state = (await importById(tx, id))?.state
    if (state === 'finished') {
      // A job that was given up may end after all, or an operator restores it.
      await storeOutcomes(tx, id, outcomes, now)
      if (restart && (await restartImport(tx, id))) {
        await ctx.queue(tx, importJob, { id })
        return { repeats: true }
      }
    }
    if (state !== 'running') return {}
    if (clear_failed) await failWaitingRows(tx, id, IMPORT_STOPPED)
    if (cleared) {
      if (await markCleared(tx, id)) await ctx.queue(tx, importJob, { id })
      return {}
    }
    const { failed, repeated } = await storeOutcomes(tx, id, [...outcomes, ...waiting], now)
    // A repeated report changes no rows, so its page is not counted again.
    const isStopped = failed > 0 && rows.every(({ problem }) => problem === IMPORT_STOPPED)
    if (isStopped && (await countStoppedPage(tx, id)) >= GIVEN_UP_PAGES) await failWaitingRows(tx, id, IMPORT_STOPPED)
    if ((await finishImport(tx, id)) === 'waiting') await ctx.queue(tx, importJob, { id })
    // Failed rows of a restored page are not sent again, so the statuses service repeats the page.
    return { repeats: repeated === later.length }
  })
})
