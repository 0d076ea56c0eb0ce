/** Finds remote statuses that nothing here refers to: neither to them nor to what is below them in their threads. */
import type { Reader } from '@murmuration/db'
import { type Edge, edgesBelow, livingOf, type Member, mentionsIn, referencedAmong } from './store.js'

export interface Limits {
  /** Replies, boosts and quotes below the statuses of one query. A single status with more stays. */
  below: number
  /** Rows of all queries after which no further query begins. */
  rows: number
}
const LIMITS: Limits = { below: 50_000, rows: 50_000 }

/** A query with too many rows is repeated with so much smaller a part of the window, and the next part is as much larger. */
const FACTOR = 8

export interface Unreferenced {
  id: string
  author: string
}

/** Returns the accounts among these that are local, and those with followers here. */
export type FindAccounts = (
  accounts: readonly string[],
) => Promise<{ local: ReadonlySet<string>; followed: ReadonlySet<string> }>

export interface Wish {
  /** Only statuses with a lower id are unreferenced. */
  before: string
  findAccounts: FindAccounts
  /** A status of an author with followers here is kept. */
  keepFollowed: boolean
}

/** A local status is a reason to keep, as is one that is younger than the bound. */
const isKept = ({ id, local }: Member, before: string): boolean => local || BigInt(id) >= BigInt(before)

/** Adds everything above these statuses in their threads. */
const withAllAbove = (ids: Iterable<string>, edges: readonly Edge[]): Set<string> => {
  const parents = Map.groupBy(edges, (edge) => edge.id)
  const found = new Set(ids)
  // A set also visits what is added while it is visited.
  for (const id of found) for (const { parent } of parents.get(id) ?? []) found.add(parent)
  return found
}

/** The unreferenced statuses of a part of the window, all of whose replies, boosts and quotes are known. */
const judge = async (
  db: Reader,
  some: readonly Member[],
  edges: readonly Edge[],
  { before, findAccounts, keepFollowed }: Wish,
): Promise<Unreferenced[]> => {
  const below = await livingOf(db, [...new Set(edges.map((edge) => edge.id))])
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
 * Looks at the window from its beginning, at one status or more, until its queries have read the most rows. `seen` is the
 * number of statuses that it looked at.
 */
export const unreferencedAmong = async (
  db: Reader,
  window: readonly Member[],
  wish: Wish,
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
    if (isWhole) found.push(...(await judge(db, some, edges, wish)))
    seen += some.length
    size *= FACTOR
  }
  return { found, seen }
}
