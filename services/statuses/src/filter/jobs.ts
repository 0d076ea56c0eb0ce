/** The job that imports filters after looking up the statuses that they contain. The job can be repeated at any point. */
import { importFilters as filtersOfImport, IMPORT_STOPPED, importReport } from '@murmuration/contracts/accounts'
import { defectIn, isRetryable, type JobData } from '@murmuration/contracts/kit'
import { readFilterFile } from '@murmuration/contracts/statuses'
import { chunk } from '@murmuration/flow'
import { type JobMeta, queueNextOnce, requireLoaded } from '@murmuration/kernel'
import type { Context } from '../context.js'
import { idsByAddress } from '../core/address/find.js'
import { work } from '../handlers.js'
import { nextRun, reachStatus, requireDue } from '../remote/index.js'
import { readFilter } from './file.rules.js'
import { type FilterImport, importFilters, type Outcome, storedOutcomes } from './import.js'
import { FILTER_BOUNDS } from './rules.js'

type Task = JobData<typeof readFilterFile>

/** Maximum number of addresses that are fetched concurrently. */
const TOGETHER = 20
/** Maximum number of imported rows whose outcome one request reports to the accounts service. */
const REPORTED = 100
/** Depth 0: an import does not fetch the parents of a status. */
const NO_PARENTS = 0

const rowsOf = async (ctx: Context, { id, account, restored }: Task): Promise<FilterImport['rows']> => {
  const rows: { n: number; document: string }[] = []
  for (let after: number | null = 0; after !== null; ) {
    const page: { rows: typeof rows; next: number | null } = await ctx.call(filtersOfImport, {
      id,
      account,
      after,
      finished: restored,
    })
    rows.push(...page.rows)
    after = page.next
  }
  return rows
}

/** Distinct addresses of statuses in the file, at most as many as an account's filters may contain. */
const addressesIn = (rows: FilterImport['rows']): string[] => {
  const uris = rows.flatMap(({ document }) => {
    const read = readFilter(document)
    return 'problem' in read ? [] : read.uris
  })
  return [...new Set(uris)].slice(0, FILTER_BOUNDS.entries)
}

/**
 * Fetches the next unknown addresses of a pass, at most 20. A server that does not respond, or an error on this server,
 * fails only its own addresses. Returns the next index, or null if none is left. `missed`: indexes of these addresses.
 *
 * Throws if the first run looks up several addresses and each causes an error on this server, because then the addresses are
 * probably not its cause.
 */
const lookUp = async (
  ctx: Context,
  uris: readonly string[],
  known: ReadonlyMap<string, string>,
  { looked: from, only }: Pick<Task, 'looked' | 'only'>,
) => {
  const pass = only && new Set(only)
  const unknown = uris
    .flatMap((uri, i) => (i >= from && !known.has(uri) && pass?.has(i) !== false ? [{ uri, i }] : []))
    .slice(0, TOGETHER)
  const found = await Promise.all(
    unknown.map(
      ({ uri }): Promise<{ later: boolean; limited?: boolean; defect?: unknown }> =>
        reachStatus(ctx, uri, { depth: NO_PARENTS, behind: true }).catch((error) => {
          const defect = defectIn(error)
          if (defect === null) return { later: isRetryable(error) }
          ctx.log.warn({ error: defect, address: uri }, 'a status of an imported filter was not looked up')
          return { later: true, defect }
        }),
    ),
  )
  const isFirstRun = from === 0 && only === undefined
  if (isFirstRun && found.length > 1 && found.every(({ defect }) => defect !== undefined)) throw found[0]?.defect
  return {
    next: unknown.length === TOGETHER ? (unknown.at(-1)?.i ?? uris.length) + 1 : null,
    missed: unknown.flatMap(({ i }, at) => (found[at]?.later ? [i] : [])),
    limited: found.some((one) => one.limited),
  }
}

const report = async (ctx: Context, { id }: Task, outcomes: readonly Outcome[]): Promise<void> => {
  const reports = chunk(outcomes, REPORTED)
  await Promise.all(reports.map((some) => ctx.call(importReport, { id, cleared: false, rows: some })))
}

const readFile = async (ctx: Context, task: Task, meta: JobMeta): Promise<void> => {
  requireDue(ctx, task)
  // Unknown statuses are not fetched while the instance policy is not loaded.
  requireLoaded(ctx.policy)
  const rows = await rowsOf(ctx, task)
  // No rows are left: the import is finished or was cancelled.
  if (rows.length === 0) return
  const uris = addressesIn(rows)
  const found = await lookUp(ctx, uris, await idsByAddress(ctx, ctx.db, uris), task)
  const queueNext = (next: Partial<Task>) =>
    ctx.db.tx((tx) =>
      queueNextOnce(tx, readFilterFile, meta, () => ctx.queue(tx, readFilterFile, { ...task, ...next })),
    )
  const missed = [...(task.missed ?? []), ...found.missed]
  const limited = task.limited === true || found.limited
  if (found.next !== null) return queueNext({ looked: found.next, missed, limited })
  // The deliveries of a job also count waits for the policy and failures of this server.
  const again = missed.length > 0 ? nextRun(ctx, task, limited) : null
  if (again !== null) return queueNext({ looked: 0, only: missed, missed: [], limited: false, ...again })
  const { id, account, overwrite } = task
  const outcomes = await importFilters(ctx, { id, account, overwrite, rows }, await idsByAddress(ctx, ctx.db, uris))
  await report(ctx, task, outcomes)
}

export const readFilterFileWork = work(readFilterFile, readFile, {
  // Without a report, the import would stay unfinished until it is deleted.
  async gaveUp(ctx, task) {
    const failed = async () =>
      (await rowsOf(ctx, task)).map(({ n }) => ({ n, imported: false, problem: IMPORT_STOPPED }))
    await report(ctx, task, (await storedOutcomes(ctx, task)) ?? (await failed()))
  },
  // The user may have added filters since, so none are removed.
  restored: (data) => ({ ...data, overwrite: false, restored: true, silent: 0 }),
})
