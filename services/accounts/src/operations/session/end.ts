/** Signs a person out in other browsers. */
import { sessionEnd } from '@murmuration/contracts/accounts'
import { handle } from '../../doors.js'
import { deleteOtherSessions, deleteSessionById } from '../../store/session.js'
import { signedIn } from '../../views/signed-in.js'

export const endSession = handle(sessionEnd, async (ctx, _viewer, { session, id }) => {
  const person = await signedIn(ctx, session)
  return {
    ended:
      id === 'others'
        ? await deleteOtherSessions(ctx.db, person.user_id, person.session_id)
        : await deleteSessionById(ctx.db, person.user_id, id),
  }
})
