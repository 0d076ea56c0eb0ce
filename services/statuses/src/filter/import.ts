/** Stores the filters of an import in one change. With `overwrite`, filters that the file lacks are deleted. */
import { errorText } from '@murmuration/contracts/kit'
import type { Context } from '../context.js'
import type { WholeFilter } from '../core/filter/rules.js'
import { loadStatuses } from '../core/viewer/loaded-status.store.js'
import { visibleAmong } from '../core/visibility/find-status.js'
import { changeFilters, earlierResult } from './change.js'
import { type Covering, type FileFilter, planFilters, readFilter } from './file.rules.js'
import { deleteFilters, insertFilters, type NewFilter } from './file.store.js'
import { filtersOf } from './store.js'

/** Result of importing one filter of the file. */
export interface Outcome {
  n: number
  imported: boolean
  problem?: string
}

export interface FilterImport {
  /** Id of the import. */
  id: string
  account: string
  overwrite: boolean
  rows: readonly { n: number; document: string }[]
}

type Wanted = Covering & { n: number; missing: number }

/** Statuses that the imported filters may contain: those that the account may see, and those in its stored filters. */
const coverable = async (ctx: Context, account: string, ids: readonly string[]) => {
  const covered = (await filtersOf(ctx.db, account)).flatMap((one) => one.statuses.map((other) => other.status_id))
  const [loaded, visible] = await Promise.all([
    loadStatuses(ctx.db, account, [...new Set(covered)]),
    visibleAmong(ctx, account, ids),
  ])
  const alive = new Set(covered.filter((id) => loaded.has(id)))
  return { alive, may: new Set([...visible, ...alive]) }
}

const wantedOf = (
  n: number,
  { uris, ...fields }: FileFilter,
  known: ReadonlyMap<string, string>,
  may: ReadonlySet<string>,
): Wanted => {
  const found = uris.flatMap((uri) => known.get(uri) ?? []).filter((id) => may.has(id))
  return { n, ...fields, statuses: [...new Set(found)], missing: uris.length - found.length }
}

const keptOf = (row: WholeFilter, alive: ReadonlySet<string>) => {
  const statuses = row.statuses.map((one) => one.status_id)
  const living = statuses.filter((id) => alive.has(id))
  return { ...row, statuses: living, dead: statuses.length - living.length }
}

const newFilter = (
  { ids }: Pick<Context, 'ids'>,
  { title, context, action, expires_at, ...one }: Wanted,
): NewFilter => ({
  id: ids.next(),
  title,
  context,
  action,
  expires_at,
  keywords: one.keywords.map((keyword) => ({ id: ids.next(), ...keyword })),
  covered: one.statuses.map((status_id) => ({ id: ids.next(), status_id })),
})

/** Idempotency key of an import. The line break keeps this key different from those that clients send. */
const keyOf = (id: string): string => `import\n${id}`

/** Outcomes of an import whose filters were stored in the last day; null if they were not. */
export const storedOutcomes = (
  ctx: Context,
  { id, account }: Pick<FilterImport, 'id' | 'account'>,
): Promise<Outcome[] | null> => earlierResult(ctx.db, account, keyOf(id))

/**
 * Imports filters. `known`: status ids by address. A repeated call with the same import id returns the first outcomes.
 */
export const importFilters = async (
  ctx: Context,
  { id, account, overwrite, rows }: FilterImport,
  known: ReadonlyMap<string, string>,
): Promise<Outcome[]> => {
  const { alive, may } = await coverable(ctx, account, [...new Set(known.values())])
  const wanted: Wanted[] = []
  const outcomes = new Map<number, Outcome>()
  for (const { n, document } of rows) {
    const read = readFilter(document)
    if ('problem' in read) outcomes.set(n, { n, imported: false, problem: read.problem })
    else wanted.push(wantedOf(n, read, known, may))
  }
  return changeFilters(ctx, {
    account,
    key: keyOf(id),
    async work(tx) {
      const here = (await filtersOf(tx, account)).map((row) => keptOf(row, alive))
      const { fresh, gone, refused } = planFilters(wanted, here, overwrite)
      await deleteFilters(tx, account, gone)
      await insertFilters(
        tx,
        account,
        fresh.map((one) => newFilter(ctx, one)),
      )
      for (const { n, missing } of wanted) {
        const problem =
          refused.get(n) ??
          (missing > 0 ? errorText('Posts not found here: {missing}', { missing }).toString() : undefined)
        outcomes.set(n, { n, imported: !refused.has(n), ...(problem ? { problem } : {}) })
      }
      return [...outcomes.values()]
    },
  })
}
