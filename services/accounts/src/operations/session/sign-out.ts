/** Ends a session. */
import { sessionSignOut } from '@murmuration/contracts/accounts'
import { handle } from '../../doors.js'
import { deleteSession } from '../../store/session.js'

export const signOut = handle(sessionSignOut, async (ctx, _viewer, { session }) => ({
  ended: (await deleteSession(ctx.db, ctx.tokens.digest(session))) > 0,
}))
