/** Handlers of browser sessions. */
import { endSession, listSessions, resolveSession, sessionAlive, signOutUser } from '@murmuration/contracts/accounts'
import { accountById } from '../core/account/store.js'
import { profileOf } from '../core/account/view.js'
import { sessionLimits } from '../core/session/rules.js'
import { lockSignedIn, signedIn, userOfSession } from '../core/session/signed-in.js'
import {
  aliveSessions,
  deleteOtherSessions,
  deleteSession,
  deleteSessionById,
  sessionsOf,
} from '../core/session/store.js'
import { obstacleOf } from '../core/user/state.rules.js'
import { viewerOf } from '../core/user/viewer.rules.js'
import { handle } from '../handlers.js'

/** Returns the browser sessions of the user. */
export const list = handle(listSessions, async (ctx, _viewer, { session }) => {
  const user = await signedIn(ctx, session)
  const rows = await sessionsOf(ctx.db, user.user_id, sessionLimits(ctx.clock.now()))
  return {
    sessions: rows.map((row) => ({
      id: row.id,
      current: row.id === user.session_id,
      ip: row.ip,
      userAgent: row.user_agent,
      created_at: row.created_at.toISOString(),
      used_at: row.used_at.toISOString(),
    })),
  }
})

/** Returns the user of a browser session. */
export const resolve = handle(resolveSession, async (ctx, _viewer, { session }) => {
  const row = await userOfSession(ctx, session)
  const account = row && (await accountById(ctx.db, row.account_id))
  if (!row || !account) return { person: null }
  const profile = profileOf(account, ctx.site)
  const obstacle = obstacleOf(row)
  return {
    person: {
      sessionId: row.session_id,
      viewer: viewerOf(row),
      state: obstacle === 'factor' ? ('ok' as const) : obstacle,
      needsFactor: obstacle === 'factor',
      username: profile.username,
      display_name: profile.display_name,
      avatar: profile.avatar,
    },
  }
})

/** Returns the valid sessions among `ids`. */
export const alive = handle(sessionAlive, async (ctx, _viewer, { ids }) => ({
  alive: await aliveSessions(ctx.db, ids, sessionLimits(ctx.clock.now())),
}))

/** Ends one browser session of the user, or all except that of the request (`others`). */
export const end = handle(endSession, async (ctx, _viewer, { session, id }) => {
  const user = await signedIn(ctx, session)
  const ended = await ctx.db.tx(async (tx) => {
    // Without the lock, two sessions could end each other.
    await lockSignedIn(ctx, tx, session, user)
    return id === 'others'
      ? deleteOtherSessions(tx, user.user_id, user.session_id)
      : deleteSessionById(tx, user.user_id, id)
  })
  return { ended }
})

/** Ends the browser session of the request. */
export const signOut = handle(signOutUser, async (ctx, _viewer, { session }) => ({
  ended: (await deleteSession(ctx.db, ctx.tokens.digest(session))) > 0,
}))
