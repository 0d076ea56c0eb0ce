/** Converts rows of hosts to the form that staff sees. */
import type { HostState } from '@murmuration/contracts/federation'
import { circuitOf } from './host.rules.js'
import type { HostRow } from './host-report.store.js'

export const isoOf = (at: Date | null): string | null => at?.toISOString() ?? null

/** Time of an event from its `seq`, whose upper bits are ms since the epoch. */
export const timeOfSeq = (seq: string | null): string | null =>
  seq === null ? null : new Date(Number(BigInt(seq) >> 16n)).toISOString()

export const hostStateOf = (row: HostRow, now: Date): HostState => ({
  id: row.id,
  host: row.host,
  circuit: circuitOf(row, now),
  waiting: row.waiting,
  gone_inboxes: row.gone_inboxes,
  oldest: timeOfSeq(row.oldest_seq),
  failures: row.failures,
  paused_until: isoOf(row.paused_until),
  unavailable_since: isoOf(row.unavailable_since),
  delivered_at: isoOf(row.delivered_at),
  failed_at: isoOf(row.failed_at),
  trouble: row.trouble,
})
