/** How signing in went lately. */
import { signInList } from '@murmuration/contracts/accounts'
import { handle } from '../../doors.js'
import { attemptsOf } from '../../store/sign-in.js'
import { signedIn } from '../../views/signed-in.js'

const PAGE = 40

export const listSignIns = handle(signInList, async (ctx, _viewer, { session, before }) => {
  const person = await signedIn(ctx, session)
  const rows = await attemptsOf(ctx.db, person.user_id, { before, limit: PAGE })
  return {
    attempts: rows.map((row) => ({
      id: row.id,
      method: row.method,
      succeeded: row.succeeded,
      ip: row.ip,
      userAgent: row.user_agent,
      created_at: row.created_at.toISOString(),
    })),
  }
})
