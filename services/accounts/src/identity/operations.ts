/** Handlers of identities at external providers. */
import { listIdentities, removeIdentity, showIdentity } from '@murmuration/contracts/accounts'
import { fail, notFound } from '@murmuration/contracts/kit'
import { logCredentialChange } from '../core/credential/security-log.js'
import { lockName } from '../core/lock.store.js'
import { lockSignedIn, requirePassword, signedIn } from '../core/session/signed-in.js'
import { deleteOtherSessions } from '../core/session/store.js'
import { deleteIdentities, freeNames, identitiesOf } from '../core/user/identity.store.js'
import { handle } from '../handlers.js'
import { dataOf, deleteStepsOf, stepByDigest } from '../sign-in-step/index.js'
import { hintOf, namesFor } from './rules.js'
import type { UnknownIdentityStep } from './steps.js'

/** Returns the providers with which the user can sign in. */
export const list = handle(listIdentities, async (ctx, _viewer, { session }) => {
  const user = await signedIn(ctx, session)
  const rows = await identitiesOf(ctx.db, user.user_id)
  return {
    identities: rows.map(({ provider, created_at }) => ({
      provider,
      name: ctx.providers.get(provider)?.name ?? provider,
      created_at: created_at.toISOString(),
    })),
  }
})

/** Removes the identities of one provider from a user. All other sessions end (D013). */
export const handleRemoveIdentity = handle(removeIdentity, async (ctx, _viewer, { session, provider, password }) => {
  const user = await signedIn(ctx, session)
  await requirePassword(ctx, user, password)
  await ctx.db.tx(async (tx) => {
    await lockSignedIn(ctx, tx, session, user)
    // The lock prevents that two concurrent requests remove the last two ways in which the user can sign in.
    await lockName(tx, `identities ${user.user_id}`)
    const others = (await identitiesOf(tx, user.user_id)).filter((one) => one.provider !== provider)
    if (others.length === 0 && (user.password_hash === null || ctx.config.externalOnly))
      throw fail('unprocessable', 'This is the only way in that you have. Set a password first.')
    if ((await deleteIdentities(tx, user.user_id, provider)) === 0) throw notFound()
    // Other browsers may have signed in with the provider.
    await deleteStepsOf(tx, [user.user_id])
    await deleteOtherSessions(tx, user.user_id, user.session_id)
    logCredentialChange(ctx, tx, user.user_id, { message: 'a provider was removed', provider })
  })
  return {}
})

/** Returns data for the page that links an unknown identity or creates an account with it. */
export const show = handle(showIdentity, async (ctx, _viewer, { step }) => {
  const row = await stepByDigest(ctx.db, ctx.tokens.digest(step), 'identity', ctx.clock.date())
  if (!row) return { found: null }
  const { providerName, claims, next } = dataOf<UnknownIdentityStep>(ctx, row)
  if (row.user_id !== null)
    return { found: { provider: providerName, next, kind: 'link' as const, email: hintOf(claims.email), username: '' } }
  const [free] = await freeNames(ctx.db, namesFor(claims.username, claims.email))
  return {
    found: { provider: providerName, next, kind: 'claim' as const, email: claims.email, username: free ?? '' },
  }
})
