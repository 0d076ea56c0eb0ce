/** Browsers in which a person is signed in. */
import { sessionList } from '@murmuration/contracts/accounts'
import { sessionLimits } from '../../domain/session.js'
import { handle } from '../../doors.js'
import { sessionsOf } from '../../store/session.js'
import { signedIn } from '../../views/signed-in.js'

export const listSessions = handle(sessionList, async (ctx, _viewer, { session }) => {
  const person = await signedIn(ctx, session)
  const rows = await sessionsOf(ctx.db, person.user_id, sessionLimits(ctx.clock.now()))
  return {
    sessions: rows.map((row) => ({
      id: row.id,
      current: row.id === person.session_id,
      ip: row.ip,
      userAgent: row.user_agent,
      created_at: row.created_at.toISOString(),
      used_at: row.used_at.toISOString(),
    })),
  }
})
