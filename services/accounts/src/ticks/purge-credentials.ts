/** Deletes what nobody can use any more: old codes, ended tokens, sessions that ran out. */

import { sessionLimits } from '../domain/session.js'
import { tick } from '../doors.js'
import { deleteRevokedTokens } from '../store/access-token.js'
import { deleteOldCodes } from '../store/authorization-code.js'
import { deleteOldSessions } from '../store/session.js'
import { deleteOldAttempts } from '../store/sign-in.js'
import { deleteOldSteps } from '../store/sign-in-step.js'
import { deleteOldSignIns } from '../store/user.js'

const DAY = 86_400_000

export const purgeCredentials = tick('accounts.purge-credentials', 600_000, async (ctx) => {
  const now = ctx.clock.now()
  await deleteOldCodes(ctx.db, new Date(now - DAY))
  await deleteRevokedTokens(ctx.db, new Date(now - 30 * DAY))
  await deleteOldSessions(ctx.db, sessionLimits(now))
  await deleteOldSteps(ctx.db, new Date(now))
  await deleteOldAttempts(ctx.db, new Date(now - 90 * DAY))
  await deleteOldSignIns(ctx.db, new Date(now - 365 * DAY))
})
