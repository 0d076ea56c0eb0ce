/** People who wait for approval, oldest first. */
import { registrationListPending } from '@murmuration/contracts/accounts'
import { handle } from '../../doors.js'
import { waitingPeople } from '../../store/sign-up.js'

export const listPending = handle(registrationListPending, async (ctx, _viewer, { after, limit }) => {
  const rows = await waitingPeople(ctx.db, after ?? '0', limit)
  return {
    people: rows.map((row) => ({ ...row, created_at: row.created_at.toISOString() })),
    next: rows.length === limit ? (rows.at(-1)?.id ?? null) : null,
  }
})
