/** People of this server who quote a status, a page at a time. */
import { localQuoters } from '@murmuration/contracts/statuses'
import { handle } from '../../doors.js'
import { localQuotersOf } from '../../store/quote.js'

export const localPeople = handle(localQuoters, async (ctx, _viewer, { status, after, limit = 1_000 }) => {
  const rows = await localQuotersOf(ctx.db, status, { after: after ?? '0', limit })
  return {
    quotes: rows.map((row) => ({ account: row.account_id, status: row.status_id })),
    next: rows.length === limit ? (rows.at(-1)?.id ?? null) : null,
  }
})
