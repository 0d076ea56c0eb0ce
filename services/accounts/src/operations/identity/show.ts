/** What is asked of somebody who came from a provider for the first time. */
import { identityShow } from '@murmuration/contracts/accounts'
import { dataOf } from '../../changes/sign-in-step.js'
import { hintOf, namesFor } from '../../domain/identity.js'
import { handle } from '../../doors.js'
import { freeNames } from '../../store/identity.js'
import { stepByDigest } from '../../store/sign-in-step.js'
import type { NewcomerStep } from '../../views/identity.js'

export const showIdentity = handle(identityShow, async (ctx, _viewer, { step }) => {
  const row = await stepByDigest(ctx.db, ctx.tokens.digest(step), 'identity', ctx.clock.date())
  if (!row) return { found: null }
  const { providerName, claims, next } = dataOf<NewcomerStep>(ctx, row)
  if (row.user_id !== null)
    return { found: { provider: providerName, next, kind: 'link' as const, email: hintOf(claims.email), username: '' } }
  const [free] = await freeNames(ctx.db, namesFor(claims.username, claims.email))
  return {
    found: { provider: providerName, next, kind: 'claim' as const, email: claims.email, username: free ?? '' },
  }
})
