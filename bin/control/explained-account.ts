/** Addresses of the statuses and boosts of a local account, with which an operator finds a status by its author and time. */
import { ownStatusIds, type StatusRecord, statusRecords } from '@murmuration/contracts/statuses'
import { idFloor } from '@murmuration/kernel'
import { accountNamed } from './account-names.js'
import type { Operator } from './operator.js'
import type { Result } from './result.js'

/** Most statuses in one list. */
const MOST = 50

const recordsOf = async (operator: Operator, ids: readonly string[]): Promise<Map<string, StatusRecord>> => {
  if (ids.length === 0) return new Map()
  const { records } = await operator.ask(statusRecords, { ids: [...ids] })
  return new Map(records.map((one) => [one.id, one]))
}

interface Listed {
  uri: string
  created_at: string
  visibility: string
  /** Address of the original; null for a status that is not a boost, and for an unknown original. */
  boost_of: string | null
}

const lineOf = (one: Listed): string =>
  `${one.created_at} ${one.visibility.padEnd(8)} ${one.uri}${one.boost_of === null ? '' : `, boost of ${one.boost_of}`}`

/**
 * Lists the statuses and boosts of a local account from a time on (milliseconds since 1970), oldest first, at most MOST.
 * Deleted ones are not listed.
 */
export const statusesFrom = async (operator: Operator, name: string, from: number): Promise<Result> => {
  const { id } = await accountNamed(operator, name)
  const { ids } = await operator.ask(ownStatusIds, { author: id, after: idFloor(from), limit: MOST + 1 })
  const known = await recordsOf(operator, ids.slice(0, MOST))
  const rows = [...known.values()].toSorted((a, b) => Number(BigInt(a.id) - BigInt(b.id)))
  const originals = await recordsOf(operator, [...new Set(rows.flatMap((one) => one.reblog_of ?? []))])
  const statuses = rows.map(
    ({ uri, created_at, visibility, reblog_of }): Listed => ({
      uri,
      created_at,
      visibility,
      boost_of: originals.get(reblog_of ?? '')?.uri ?? null,
    }),
  )
  const more = ids.length > MOST
  const since = new Date(from).toISOString()
  if (statuses.length === 0)
    return { data: { statuses, more }, text: `@${name} wrote and boosted nothing since ${since}.`, code: 1 }
  const text = [...statuses.map(lineOf), ...(more ? ['Later ones are not listed: give a later --at.'] : [])].join('\n')
  return { data: { statuses, more }, text }
}
