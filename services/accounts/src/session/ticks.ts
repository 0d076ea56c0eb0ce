/**
 * Ticks that end expired access tokens, and delete expired credentials: codes, revoked tokens, sessions, sign-in steps,
 * attempts and IP addresses.
 */

import { inSteps } from '@murmuration/kernel'
import { sessionLimits } from '../core/session/rules.js'
import { deleteOldSessions } from '../core/session/store.js'
import { deleteRevokedTokens, isTokenExpired, revokeExpiredTokens } from '../core/token/store.js'
import { announceRevoked } from '../core/token/token.js'
import { deleteOldSignIns } from '../core/user/store.js'
import { tick } from '../handlers.js'
import { deleteOldCodes } from '../oauth/index.js'
import { deleteOldSteps } from '../sign-in-step/index.js'
import { deleteOldAttempts } from './sign-in.store.js'

const DAY = 86_400_000

/**
 * Ends streams and push subscriptions of expired tokens. Requests with an expired token are refused even before the
 * tick runs.
 */
export const endExpiredTokens = tick('accounts.end-expired-tokens', 15_000, async (ctx) => {
  if (!(await isTokenExpired(ctx.db, ctx.clock.date()))) return
  await ctx.db.tx(async (tx) => {
    const ended = await revokeExpiredTokens(tx, ctx.clock.date())
    const byUser = Map.groupBy(ended, (token) => token.user_id)
    await announceRevoked(
      ctx,
      tx,
      ...[...byUser].map(([userId, tokens]) => ({ tokenIds: tokens.map((token) => token.id), userId })),
    )
  })
})

export const purgeCredentials = tick('accounts.purge-credentials', 600_000, async (ctx) => {
  const now = ctx.clock.now()
  const deletions: ((limit: number) => Promise<number>)[] = [
    (limit) => deleteOldCodes(ctx.db, new Date(now - DAY), limit),
    (limit) => deleteRevokedTokens(ctx.db, new Date(now - 30 * DAY), limit),
    (limit) => deleteOldSessions(ctx.db, sessionLimits(now), limit),
    (limit) => deleteOldSteps(ctx.db, new Date(now), limit),
    (limit) => deleteOldAttempts(ctx.db, new Date(now - 90 * DAY), limit),
    (limit) => deleteOldSignIns(ctx.db, new Date(now - 365 * DAY), limit),
  ]
  for (const one of deletions) await inSteps({ size: 1_000, steps: 100 }, one)
})
