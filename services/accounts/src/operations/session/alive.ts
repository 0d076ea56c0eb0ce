/** Which of these sessions somebody is still signed in with. */
import { sessionAlive } from '@murmuration/contracts/accounts'
import { sessionLimits } from '../../domain/session.js'
import { handle } from '../../doors.js'
import { aliveSessions } from '../../store/session.js'

export const alive = handle(sessionAlive, async (ctx, _viewer, { ids }) => ({
  alive: await aliveSessions(ctx.db, ids, sessionLimits(ctx.clock.now())),
}))
