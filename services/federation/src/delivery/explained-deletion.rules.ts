/** Lists deleted statuses and undone boosts, each with the time of its end and the counts of its deliveries. */
import type { Ended } from '@murmuration/contracts/federation'
import type { StatusRecord } from '@murmuration/contracts/statuses'
import { statusUriOf } from '../core/activity/compaction.rules.js'
import type { FoundActivity } from './delivery-report.store.js'
import type { EndedRow } from './explained-deletion.store.js'

/** Time for which the row of each delivery is stored, and for which deleted statuses and undone boosts are known. */
export const KEPT_MS = 30 * 86_400_000

/** A deleted status or an undone boost. */
export interface End {
  /** URI that the activities about the deleted status or undone boost have as object. */
  about: string
  /** URI of the deleted status or undone boost. */
  uri: string
  isBoost: boolean
  /** Time of the deletion; null if the statuses service does not know it. */
  at: string | null
}

/** The deleted local statuses and undone local boosts among these records. */
export const endsAmong = (records: readonly StatusRecord[]): End[] =>
  records
    .filter((it) => it.local && it.deleted)
    .map((it) => ({
      about: statusUriOf(it.uri),
      uri: it.uri,
      isBoost: it.reblog_of !== null,
      at: it.deleted_at ?? null,
    }))

const statusPath = /\/statuses\/\d+$/

/**
 * Deleted statuses and undone boosts according to their Delete or Undo, for statuses that the statuses service no
 * longer knows.
 */
export const endsByActivity = (found: readonly FoundActivity[]): End[] =>
  found.flatMap((it) => {
    const about = it.uri.replace(it.kind === 'Undo' ? /\/activity#undo$/ : /#delete$/, '')
    const isEnd = (it.kind === 'Undo' || it.kind === 'Delete') && about !== it.uri && statusPath.test(about)
    const uri = it.kind === 'Undo' ? `${about}/activity` : about
    return isEnd ? [{ about, uri, isBoost: it.kind === 'Undo', at: it.created_at.toISOString() }] : []
  })

const countsIn = ({ servers, delivered, pending }: EndedRow) => ({ servers, delivered, pending })

/** The deleted statuses and undone boosts `ends` as the API shows them, with the counts of deliveries in `rows`. */
export const endedOf = (ends: readonly End[], rows: readonly EndedRow[], now: Date): Ended[] =>
  ends.map(({ about, uri, isBoost, at }) => {
    const before = rows.find((row) => row.about === about && !row.is_end)
    const end = rows.find((row) => row.about === about && row.is_end)
    const endedAt = at === null ? (end?.created_at ?? now) : new Date(at)
    return {
      uri,
      is_boost: isBoost,
      at: endedAt.toISOString(),
      before: before ? { ...countsIn(before), is_folded: before.is_folded } : null,
      end: end ? countsIn(end) : null,
      kept_until: new Date((end?.created_at ?? endedAt).getTime() + KEPT_MS).toISOString(),
    }
  })
