/**
 * Finds remote statuses without references: neither they nor statuses below them in their threads are referenced by
 * local data.
 */
import type { Reader } from '@murmuration/db'
import { type Edge, edgesBelow, type Member, mentionsIn, notDeletedMembers, referencedAmong } from './store.js'

export interface Limits {
  /**
   * Maximum number of replies, boosts and quotes below the statuses of one query. A single status with more is kept.
   */
  below: number
  /** Number of rows read by all queries after which no further query starts. */
  rows: number
}
const LIMITS: Limits = { below: 50_000, rows: 50_000 }

/**
 * Factor for the number of statuses that one query checks. After a query with too many rows, the number is divided by
 * `FACTOR`, and the query is repeated. After a successful query, the number is multiplied by `FACTOR`.
 */
const FACTOR = 8

export interface Unreferenced {
  id: string
  author: string
}

/** Returns which of the accounts are local, and which have local followers. */
export type FindAccounts = (
  accounts: readonly string[],
) => Promise<{ local: ReadonlySet<string>; followed: ReadonlySet<string> }>

export interface Conditions {
  /** Only statuses with an id below this one can be unreferenced. */
  before: string
  findAccounts: FindAccounts
  /** If true, statuses of authors with local followers are kept. */
  keepFollowed: boolean
}

/** Whether a status must be kept: it is local, or not older than `before`. */
const isKept = ({ id, local }: Member, before: string): boolean => local || BigInt(id) >= BigInt(before)

/** Returns the statuses in `ids` and all their ancestors. */
const withAllAbove = (ids: Iterable<string>, edges: readonly Edge[]): Set<string> => {
  const parents = Map.groupBy(edges, (edge) => edge.id)
  const found = new Set(ids)
  // The loop also visits ancestors that are added to the set during the loop.
  for (const id of found) for (const { parent } of parents.get(id) ?? []) found.add(parent)
  return found
}

/** Returns the unreferenced statuses among `some`. `edges`: all replies, boosts and quotes below these statuses. */
const unreferencedIn = async (
  db: Reader,
  some: readonly Member[],
  edges: readonly Edge[],
  { before, findAccounts, keepFollowed }: Conditions,
): Promise<Unreferenced[]> => {
  const below = await notDeletedMembers(db, [...new Set(edges.map((edge) => edge.id))])
  const members = [...new Map([...below, ...some].map((one) => [one.id, one])).values()]
  const ids = members.map((one) => one.id)
  const [referenced, mentions] = [await referencedAmong(db, ids), await mentionsIn(db, ids)]
  const authors = keepFollowed ? members.map((one) => one.author_id) : []
  const { local, followed } = await findAccounts([...new Set([...mentions.map((one) => one.account), ...authors])])
  const reasons = [
    ...referenced,
    ...mentions.flatMap(({ status, account }) => (local.has(account) ? [status] : [])),
    ...members.flatMap((one) => (isKept(one, before) || (keepFollowed && followed.has(one.author_id)) ? [one.id] : [])),
  ]
  const kept = withAllAbove(reasons, edges)
  return some.flatMap(({ id, author_id }) => (kept.has(id) ? [] : [{ id, author: author_id }]))
}

/**
 * Checks the statuses in `window` in order, at least one, until the queries have read `limits.rows` rows. `seen`:
 * number of checked statuses.
 */
export const unreferencedAmong = async (
  db: Reader,
  window: readonly Member[],
  conditions: Conditions,
  limits = LIMITS,
): Promise<{ found: Unreferenced[]; seen: number }> => {
  const found: Unreferenced[] = []
  let [seen, size, rows] = [0, window.length, 0]
  while (seen < window.length && (seen === 0 || rows < limits.rows)) {
    const some = window.slice(seen, seen + size)
    const edges = await edgesBelow(
      db,
      some.map((one) => one.id),
      limits.below,
    )
    rows += edges.length
    const isWhole = edges.length < limits.below
    if (!isWhole && some.length > 1) {
      size = Math.ceil(some.length / FACTOR)
      continue
    }
    if (isWhole) found.push(...(await unreferencedIn(db, some, edges, conditions)))
    seen += some.length
    size *= FACTOR
  }
  return { found, seen }
}
