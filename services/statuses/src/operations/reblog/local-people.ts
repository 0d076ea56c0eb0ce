/** People of this server who reblogged a status, a page at a time. */
import { localBoosters } from '@murmuration/contracts/statuses'
import { handle } from '../../doors.js'
import { localBoostersOf } from '../../store/thread-standing.js'

export const localPeople = handle(localBoosters, async (ctx, _viewer, { status, after, limit = 1_000 }) => {
  const rows = await localBoostersOf(ctx.db, status, { after: after ?? '0', limit })
  return {
    accounts: rows.map((row) => row.account_id),
    next: rows.length === limit ? (rows.at(-1)?.reblog_id ?? null) : null,
  }
})
