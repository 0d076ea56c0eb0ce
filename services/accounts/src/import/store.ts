/** Reads and writes imports, and the table rows that they contain. */
import type { ImportKind } from '@murmuration/contracts/accounts'
import { IMPORT_PAUSES } from '@murmuration/contracts/kit'
import { type Reader, sql, type Tx } from '@murmuration/db'
import type { TableRow } from '../core/table.rules.js'

export interface ImportRow {
  id: string
  account_id: string
  kind: ImportKind
  likely_kind: ImportKind | null
  overwrite: boolean
  state: 'unconfirmed' | 'running' | 'finished'
  cleared: boolean
  name: string
  total: number
  processed: number
  imported: number
  created_at: Date
}

const columns = sql`i.id, i.account_id, i.kind, i.likely_kind, i.overwrite, i.state, i.cleared, i.name, i.total,
  i.processed, i.imported, i.created_at`

export const importById = (db: Reader, id: string): Promise<ImportRow | null> =>
  db.row(sql`select ${columns} from imports i where i.id = ${id}`)

/** The import with this id if it belongs to this account, else null. */
export const importOf = (db: Reader, account: string, id: string): Promise<ImportRow | null> =>
  db.row(sql`select ${columns} from imports i where i.id = ${id} and i.account_id = ${account}`)

/** Imports of an account, newest first, at most 40. */
export const importsOf = (db: Reader, account: string): Promise<ImportRow[]> =>
  db.rows(sql`select ${columns} from imports i where i.account_id = ${account} order by i.id desc limit 40`)

export const countUnfinished = async (db: Reader, account: string): Promise<number> =>
  (
    await db.row<{ n: number }>(
      sql`select count(*)::int as n from imports where account_id = ${account} and state <> 'finished'`,
    )
  )?.n ?? 0

export const insertImport = async (
  tx: Tx,
  row: Pick<ImportRow, 'id' | 'account_id' | 'kind' | 'likely_kind' | 'overwrite' | 'name' | 'total'>,
  at: Date,
): Promise<void> => {
  await tx.run(sql`insert into imports (id, account_id, kind, likely_kind, overwrite, state, name, total, created_at)
    values (${row.id}, ${row.account_id}, ${row.kind}, ${row.likely_kind}, ${row.overwrite}, 'unconfirmed', ${row.name},
      ${row.total}, ${at})`)
}

/** Stores rows of an import. `first`: the row number of the first row in `rows`. */
export const insertImportRows = async (tx: Tx, id: string, first: number, rows: readonly TableRow[]): Promise<void> => {
  const given = rows.map((row, i) => ({ n: first + i, ...row }))
  await tx.run(sql`insert into import_rows (import_id, n, cells, key)
    select ${id}::bigint, n, cells, key
    from jsonb_to_recordset(${JSON.stringify(given)}::jsonb) as r(n integer, cells text[], key text)`)
}

export interface WaitingRow {
  n: number
  cells: string[]
  key: string
  tries: number
}

/** The next rows to process that are due at `now`: rows with the fewest tries first, in the order of the file. */
export const dueRows = (db: Reader, id: string, now: Date, limit: number): Promise<WaitingRow[]> =>
  db.rows(sql`select n, cells, key, tries from import_rows
    where import_id = ${id} and state = 'waiting' and (due_at is null or due_at <= ${now})
    order by tries, n limit ${limit}`)

/** Time at which the next row is due, if all waiting rows of an import pause. Null if no row waits. */
export const nextDue = async (db: Reader, id: string): Promise<Date | null> =>
  (
    await db.row<{ at: Date | null }>(sql`select min(due_at) as at from import_rows
      where import_id = ${id} and state = 'waiting'`)
  )?.at ?? null

/** Rows of an import after a row number, all or only failed ones, in the order of the file. */
export const importRowsAfter = (
  db: Reader,
  id: string,
  which: 'every' | 'failed',
  after: number,
  limit: number,
): Promise<{ n: number; cells: string[] }[]> =>
  db.rows(sql`select n, cells from import_rows
    where import_id = ${id} and n > ${after} ${which === 'failed' ? sql`and state = 'failed'` : sql``}
    order by n limit ${limit}`)

/** The first rows of an import with a stored problem, in the order of the file. */
export const problemRows = (
  db: Reader,
  id: string,
  limit: number,
): Promise<{ n: number; cells: string[]; problem: string }[]> =>
  db.rows(sql`select n, cells, problem from import_rows
    where import_id = ${id} and problem is not null order by n limit ${limit}`)

export const confirmImport = async (tx: Tx, id: string): Promise<boolean> =>
  (await tx.run(sql`update imports set state = 'running' where id = ${id} and state = 'unconfirmed'`)) > 0

export const deleteUnconfirmed = async (db: Reader, account: string, id: string): Promise<boolean> =>
  (await db.run(sql`delete from imports
    where id = ${id} and account_id = ${account} and state = 'unconfirmed'`)) > 0

export const markCleared = async (tx: Tx, id: string): Promise<boolean> =>
  (await tx.run(sql`update imports set cleared = true where id = ${id} and not cleared`)) > 0

/** Marks all waiting rows of an import as `away`, which means that another service processes them. Returns false if no rows wait. */
export const markAllDelegated = async (tx: Tx, id: string): Promise<boolean> =>
  (await tx.run(sql`update import_rows set state = 'away' where import_id = ${id} and state = 'waiting'`)) > 0

/** Marks the waiting `rows` of an import as `away`, which means that another service processes them. */
export const markDelegated = async (tx: Tx, id: string, rows: readonly number[]): Promise<void> => {
  await tx.run(sql`update import_rows set state = 'away'
    where import_id = ${id} and n = any(${rows}::int[]) and state = 'waiting'`)
}

export interface RowOutcome {
  n: number
  /**
   * - `again`: the server did not respond, or the row causes an error on this server. The row waits for its next try, or
   *   fails after the last one, with its `problem`.
   * - `limited`: a rate limit of this server was reached. The row waits, and its tries do not count.
   */
  outcome: 'imported' | 'failed' | 'again' | 'limited'
  problem?: string | undefined
}

/**
 * Stores the outcomes of rows and updates the counts of the import. A row that has an outcome already is skipped. Only a
 * failed row that was imported after all is corrected.
 * - `failed`: number of rows that got the outcome `failed`.
 * - `repeated`: number of rows with the outcome `again` or `limited` that were not skipped.
 */
export const storeOutcomes = async (
  tx: Tx,
  id: string,
  outcomes: readonly RowOutcome[],
  now: Date,
): Promise<{ failed: number; repeated: number }> => {
  const stored = await tx.row<{ failed: number; repeated: number }>(sql`with given as (
      select * from unnest(${outcomes.map((one) => one.n)}::int[], ${outcomes.map((one) => one.outcome)}::text[],
        ${outcomes.map((one) => one.problem ?? null)}::text[]) as g(n, outcome, problem)),
    settled as (update import_rows r set state = given.outcome, problem = given.problem from given
      where r.import_id = ${id} and r.n = given.n and given.outcome in ('imported', 'failed')
        and r.state in ('waiting', 'away')
      returning r.state),
    again as (update import_rows r set tries = r.tries + 1,
        state = case when r.tries < cardinality(${IMPORT_PAUSES.silent}::int[]) then 'waiting' else 'failed' end,
        problem = case when r.tries < cardinality(${IMPORT_PAUSES.silent}::int[]) then null else given.problem end,
        due_at = ${now}::timestamptz + (${IMPORT_PAUSES.silent}::int[])[r.tries + 1] * interval '1 second'
      from given
      where r.import_id = ${id} and r.n = given.n and given.outcome = 'again' and r.state in ('waiting', 'away')
      returning r.state),
    limited as (update import_rows r set state = 'waiting', due_at = ${now}::timestamptz + ${IMPORT_PAUSES.limited} * interval '1 second'
      from given
      where r.import_id = ${id} and r.n = given.n and given.outcome = 'limited' and r.state in ('waiting', 'away')
      returning 1),
    corrected as (update import_rows r set state = 'imported', problem = given.problem from given
      where r.import_id = ${id} and r.n = given.n and given.outcome = 'imported' and r.state = 'failed'
      returning 1)
    update imports set processed = processed + (select count(*) from settled)
        + (select count(*) from again where state = 'failed'),
      imported = imported + (select count(*) from settled where state = 'imported') + (select count(*) from corrected),
      stopped_pages = case when exists (select 1 from given where outcome = 'imported') then 0 else stopped_pages end
    where id = ${id}
    returning (select count(*)::int from settled where state = 'failed') as failed,
      (select count(*)::int from again) + (select count(*)::int from limited) as repeated`)
  return stored ?? { failed: 0, repeated: 0 }
}

/** Counts a page that was given up completely. Returns the number of these pages since a row was last imported. */
export const countStoppedPage = async (tx: Tx, id: string): Promise<number> =>
  (
    await tx.row<{ n: number }>(sql`update imports set stopped_pages = stopped_pages + 1
      where id = ${id} returning stopped_pages as n`)
  )?.n ?? 0

/** Stores the outcome `failed` for all waiting rows of an import. `problem`: the reason that the user sees, or null. */
export const failWaitingRows = async (tx: Tx, id: string, problem: string | null): Promise<void> => {
  await tx.run(sql`with ended as (update import_rows set state = 'failed', problem = ${problem}
      where import_id = ${id} and state = 'waiting' returning 1)
    update imports set processed = processed + (select count(*) from ended) where id = ${id}`)
}

/**
 * Returns whether rows of the import wait (`waiting`), or another service processes some of them (`away`). If no row is
 * in one of these states, the import is finished.
 */
export const finishImport = async (tx: Tx, id: string): Promise<'waiting' | 'away' | 'finished'> => {
  const left = await tx.row<{ waiting: boolean; away: boolean }>(sql`select
    exists (select 1 from import_rows where import_id = ${id} and state = 'waiting') as waiting,
    exists (select 1 from import_rows where import_id = ${id} and state = 'away') as away`)
  if (left?.away) return 'away'
  if (left?.waiting) return 'waiting'
  await tx.run(sql`update imports set state = 'finished' where id = ${id}`)
  return 'finished'
}

/**
 * Starts a finished import again with its failed rows. Nothing is removed for it, because the user may have added
 * entries since. Returns false if the import is not finished, or has no failed rows.
 */
export const restartImport = async (tx: Tx, id: string): Promise<boolean> =>
  (await tx.run(sql`with again as (update import_rows r set state = 'waiting', tries = 0, due_at = null, problem = null
      from imports i
      where i.id = ${id} and i.state = 'finished' and r.import_id = i.id and r.state = 'failed' returning 1)
    update imports set state = 'running', cleared = true, stopped_pages = 0, processed = processed - (select count(*) from again)
    where id = ${id} and exists (select 1 from again)`)) > 0

/** Deletes old imports, at most 100 per call: unconfirmed ones created before `unconfirmed`, others created before `every`. */
export const deleteOldImports = (db: Reader, unconfirmed: Date, every: Date): Promise<number> =>
  db.run(sql`delete from imports where id in (select id from imports
    where created_at < ${every} or (state = 'unconfirmed' and created_at < ${unconfirmed})
    order by created_at limit 100)`)
