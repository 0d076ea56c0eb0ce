/** What waits for other servers, for operators. */
import { deliveryState } from '@murmuration/contracts/federation'
import { handle } from '../../doors.js'
import { heldFigures, hostStates } from '../../store/delivery-report.js'
import { readDomain } from '../../vocabulary/uri.js'

const iso = (at: Date | null): string | null => at?.toISOString() ?? null

export const state = handle(deliveryState, async (ctx, _viewer, { limit, host: named = null, unavailable }) => {
  const host = named === null ? null : (readDomain(named) ?? named)
  const [figures, rows] = await Promise.all([heldFigures(ctx.db), hostStates(ctx.db, { limit, host, unavailable })])
  return {
    ...figures,
    hosts: rows.map(({ oldest_seq, ...row }) => ({
      host: row.host,
      waiting: row.waiting,
      gone_inboxes: row.gone_inboxes,
      // Time is in the number that orders them.
      oldest: oldest_seq === null ? null : new Date(Number(BigInt(oldest_seq) >> 16n)).toISOString(),
      failures: row.failures,
      paused_until: iso(row.paused_until),
      unavailable_since: iso(row.unavailable_since),
      delivered_at: iso(row.delivered_at),
      failed_at: iso(row.failed_at),
      trouble: row.trouble,
    })),
  }
})
