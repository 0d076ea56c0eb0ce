/** Who is signed in with a session. */
import { sessionResolve } from '@murmuration/contracts/accounts'
import { hindranceOf } from '../../domain/person-state.js'
import { viewerOf } from '../../domain/viewer.js'
import { handle } from '../../doors.js'
import { accountById } from '../../store/account.js'
import { profileOf } from '../../views/account.js'
import { personOfSession } from '../../views/session-person.js'

export const resolveSession = handle(sessionResolve, async (ctx, _viewer, { session }) => {
  const row = await personOfSession(ctx, session)
  const account = row && (await accountById(ctx.db, row.account_id))
  if (!row || !account) return { person: null }
  const profile = profileOf(account, ctx.site)
  const hindrance = hindranceOf(row)
  return {
    person: {
      sessionId: row.session_id,
      viewer: viewerOf(row),
      state: hindrance === 'factor' ? ('ok' as const) : hindrance,
      needsFactor: hindrance === 'factor',
      username: profile.username,
      display_name: profile.display_name,
      avatar: profile.avatar,
    },
  }
})
