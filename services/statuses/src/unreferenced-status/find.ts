/** Finds remote statuses that nothing here refers to: neither to them nor to what is below them in their threads. */
import type { Reader } from '@murmuration/db'
import { descendantsOf, livingOf, type Member, mentionsIn, referencedAmong } from './store.js'

/** Rows below the statuses of one window. A window with more is halved; a single status with more stays. */
const MOST_BELOW = 50_000

export interface Unreferenced {
  id: string
  author: string
  /** Authors of the status and of everything below it. */
  authors: string[]
}

/** A local status is a reason to keep, as is one that is younger than the bound. */
const isKept = ({ id, local }: Member, before: string): boolean => local || BigInt(id) >= BigInt(before)

/** Returns the local accounts among these. */
export type FindLocal = (accounts: readonly string[]) => Promise<ReadonlySet<string>>

/** Statuses that mention a local account. */
const mentioning = async (db: Reader, ids: readonly string[], findLocal: FindLocal): Promise<string[]> => {
  const mentions = await mentionsIn(db, ids)
  const local = await findLocal([...new Set(mentions.map((one) => one.account))])
  return mentions.filter((one) => local.has(one.account)).map((one) => one.status)
}

export const unreferencedAmong = async (
  db: Reader,
  window: readonly Member[],
  before: string,
  findLocal: FindLocal,
  mostBelow = MOST_BELOW,
): Promise<Unreferenced[]> => {
  if (window.length === 0) return []
  const ids = window.map((one) => one.id)
  const pairs = await descendantsOf(db, ids, mostBelow)
  if (pairs.length >= mostBelow) {
    if (window.length === 1) return []
    const half = Math.ceil(window.length / 2)
    const first = await unreferencedAmong(db, window.slice(0, half), before, findLocal, mostBelow)
    return [...first, ...(await unreferencedAmong(db, window.slice(half), before, findLocal, mostBelow))]
  }
  const below = await livingOf(db, [...new Set(pairs.map((pair) => pair.id))])
  const members = new Map([...below, ...window].map((one) => [one.id, one]))
  const all = [...members.keys()]
  const referenced = new Set([...(await referencedAmong(db, all)), ...(await mentioning(db, all, findLocal))])
  const families = new Map<string, Member[]>(window.map((one) => [one.id, [one]]))
  for (const { root, id } of pairs) {
    const member = members.get(id)
    if (member) families.get(root)?.push(member)
  }
  return window.flatMap(({ id, author_id }) => {
    const family = families.get(id) ?? []
    if (family.some((one) => referenced.has(one.id) || isKept(one, before))) return []
    return [{ id, author: author_id, authors: [...new Set(family.map((one) => one.author_id))] }]
  })
}
