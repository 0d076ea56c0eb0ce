/** The person behind a browser session. */
import type { Context } from '../context.js'
import { sessionLimits, TOUCH_MS } from '../domain/session.js'
import { personBySession, type SessionRow, touchSession } from '../store/session.js'

/** Null when nobody is signed in with this value, or it ran out. */
export const personOfSession = async (
  ctx: Pick<Context, 'db' | 'tokens' | 'clock' | 'log'>,
  session: string,
): Promise<SessionRow | null> => {
  const now = ctx.clock.now()
  const row = await personBySession(ctx.db, ctx.tokens.digest(session), sessionLimits(now))
  if (row && now - row.session_used_at.getTime() > TOUCH_MS)
    touchSession(ctx.db, row.session_id, new Date(now)).catch((error) =>
      ctx.log.warn({ error }, 'the use of a session was not noted'),
    )
  return row
}
