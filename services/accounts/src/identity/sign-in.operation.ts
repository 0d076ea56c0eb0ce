/** Handlers that sign in, link or create an account with an identity at another provider. */
import { beginIdentitySignIn, claimIdentity, finishIdentitySignIn, linkIdentity } from '@murmuration/contracts/accounts'
import { errorText, fail, notFound } from '@murmuration/contracts/kit'
import type { Tx } from '@murmuration/db'
import { requireLoaded } from '@murmuration/kernel'
import type { Context } from '../context.js'
import { linkProvider } from '../core/credential/link-provider.js'
import { refuseIfAny } from '../core/problem.rules.js'
import { sessionLimits } from '../core/session/rules.js'
import { lockSignedIn, requirePassword, signedIn } from '../core/session/signed-in.js'
import { aliveSessions } from '../core/session/store.js'
import { insertIdentity, userOfIdentity } from '../core/user/identity.store.js'
import { lockUser, userById } from '../core/user/store.js'
import { addressProblems } from '../email/index.js'
import { handle } from '../handlers.js'
import { beginSession, isLoginDisabled, passFirstStep, recordFailure } from '../session/index.js'
import { beginStep, dataOf, stepByDigest, takeStepByDigest, tooLate, tryStep } from '../sign-in-step/index.js'
import { createUser, nameProblems } from '../sign-up/index.js'
import { type AuthorizationStep, ownerOfAddress, type UnknownIdentityStep } from './steps.js'

/** Returns the URL of the provider to which the browser is sent. */
export const beginIdentity = handle(beginIdentitySignIn, async (ctx, _viewer, { provider: id, next, join }) => {
  const provider = ctx.providers.get(id)
  if (!provider) throw notFound()
  const user = join ? await signedIn(ctx, join.session) : null
  if (user && join) await requirePassword(ctx, user, join.password)
  const { redirect, trip } = await provider.depart()
  const data: AuthorizationStep = {
    provider: id,
    trip,
    next,
    userId: user?.user_id ?? null,
    sessionId: user?.session_id ?? null,
  }
  const step = { kind: 'provider' as const, userId: data.userId, data }
  if (!user || !join) return { redirect, step: await beginStep(ctx, ctx.db, step) }
  const proof = await ctx.db.tx(async (tx) => {
    // The session may have ended while the configuration of the provider was fetched.
    await lockSignedIn(ctx, tx, join.session, user)
    return beginStep(ctx, tx, step)
  })
  return { redirect, step: proof }
})

/** Whether the session that began a link still exists. */
const isSessionAlive = async (ctx: Pick<Context, 'clock'>, tx: Tx, sessionId: string): Promise<boolean> =>
  (await aliveSessions(tx, [sessionId], sessionLimits(ctx.clock.now()))).length > 0

/**
 * Links an identity to the user of a step. Returns false if the identity belongs to another user.
 * @param sessionId null for a step of an earlier release, which names no session. Such a step is not checked.
 */
const joinIdentity = (
  ctx: Pick<Context, 'db' | 'clock' | 'log'>,
  hash: Buffer,
  identity: { provider: string; subject: string; userId: string; at: Date },
  sessionId: string | null,
): Promise<boolean> =>
  ctx.db.tx(async (tx) => {
    await lockUser(tx, identity.userId)
    if (sessionId !== null && !(await isSessionAlive(ctx, tx, sessionId))) throw tooLate()
    // A change of the password during the requests to the provider has deleted the step.
    if (!(await takeStepByDigest(tx, hash, 'provider', identity.at))) throw tooLate()
    if (await linkProvider(ctx, tx, identity)) return true
    return (await userOfIdentity(tx, identity.provider, identity.subject)) === identity.userId
  })

/**
 * Finishes a sign-in with a provider. A known identity signs its user in. An unknown identity leads to a page that
 * links it or creates an account (A084).
 */
export const handleFinishIdentity = handle(
  finishIdentitySignIn,
  async (ctx, _viewer, { provider: id, query, step, ...browser }) => {
    const provider = ctx.providers.get(id)
    if (!provider) throw notFound()
    const at = ctx.clock.date()
    const hash = ctx.tokens.digest(step)
    // A step accepts one response. It stays until an identity is linked, so that a change of the password can end it.
    const row = await tryStep(ctx.db, hash, 'provider', 1, at)
    if (!row) throw tooLate()
    const { provider: began, trip, next, userId: joining, sessionId = null } = dataOf<AuthorizationStep>(ctx, row)
    // The response of one identity provider cannot finish a sign-in that began with another provider.
    if (began !== id) throw tooLate()
    const claims = await provider.arrive(query, trip)

    if (joining !== null) {
      const identity = { provider: id, subject: claims.subject, userId: joining, at }
      if (!(await joinIdentity(ctx, hash, identity, sessionId)))
        throw fail(
          'forbidden',
          errorText('This login of {provider} opens another account already.', { provider: provider.name }),
        )
      return { outcome: { kind: 'joined' as const, next } }
    }
    const userId = await userOfIdentity(ctx.db, id, claims.subject)
    const user = userId && (await userById(ctx.db, userId))
    if (user) {
      const entry = await passFirstStep(ctx, user, 'provider', browser)
      if (entry === null) throw fail('forbidden', 'Your login is currently disabled')
      return { outcome: { ...entry, next } }
    }
    const { email } = claims
    if (email === null) throw provider.withoutEmail()
    const data: UnknownIdentityStep = { provider: id, providerName: provider.name, claims: { ...claims, email }, next }
    const owner = await ownerOfAddress(ctx, data)
    if (owner && owner.password_hash === null)
      throw fail('forbidden', 'Another account already uses this e-mail address. Sign in to that account instead.')
    return {
      outcome: {
        kind: 'unknown' as const,
        step: await beginStep(ctx, ctx.db, { kind: 'identity', userId: owner?.user_id ?? null, data }),
        next,
      },
    }
  },
)

const MAX_TRIES = 5

/**
 * Links an identity to the local user with its e-mail address. Requires the password and the second factor of that user
 * (A084).
 */
export const handleLinkIdentity = handle(linkIdentity, async (ctx, _viewer, { step, password, ...browser }) => {
  const at = ctx.clock.date()
  const hash = ctx.tokens.digest(step)
  const row = await tryStep(ctx.db, hash, 'identity', MAX_TRIES, at)
  const user = row?.user_id ? await userById(ctx.db, row.user_id) : null
  if (!row || !user || isLoginDisabled(user)) return { outcome: { kind: 'over' as const } }
  if (!(await ctx.passwords.matches(user.password_hash, password))) {
    await recordFailure(ctx, user.user_id, 'password', browser)
    return { outcome: { kind: 'refused' as const } }
  }
  if (!(await takeStepByDigest(ctx.db, hash, 'identity', at))) return { outcome: { kind: 'over' as const } }
  const { provider, claims, next } = dataOf<UnknownIdentityStep>(ctx, row)
  const link = { provider, subject: claims.subject }
  const entry = await passFirstStep(ctx, user, 'password', browser, link)
  return { outcome: entry === null ? { kind: 'over' as const } : { ...entry, next } }
})

const closed = () => fail('forbidden', 'Registrations are closed.')

/** Creates a user without password for an identity, and signs the user in. */
export const claim = handle(claimIdentity, async (ctx, _viewer, { step, username: typed, ...browser }) => {
  const at = ctx.clock.date()
  const hash = ctx.tokens.digest(step)
  const row = await stepByDigest(ctx.db, hash, 'identity', at)
  if (!row || row.user_id !== null) return { session: null, next: '/' }
  const { provider, claims, next } = dataOf<UnknownIdentityStep>(ctx, row)
  requireLoaded(ctx.policy)
  const blocked = ctx.policy.access().ip(browser.ip, ctx.clock.now())
  if (ctx.config.singleUser || blocked === 'sign_up_block' || blocked === 'no_access') throw closed()
  const username = typed.trim()
  const [wrongName, address] = await Promise.all([nameProblems(ctx, username), addressProblems(ctx, claims.email)])
  refuseIfAny([...wrongName, ...address.problems])
  const locale = ctx.policy.settings().languages[0] ?? 'en'
  const { more: session } = await createUser(
    ctx,
    {
      username,
      email: claims.email,
      password: null,
      roleId: null,
      // An address that the provider did not verify is confirmed by an e-mail, like in any sign-up.
      confirmed: claims.emailVerified,
      approved: true,
      locale,
      mayBeReserved: false,
      beginning: { ip: browser.ip },
    },
    async (tx, { userId }) => {
      if (!(await takeStepByDigest(tx, hash, 'identity', at))) throw closed()
      const known = await insertIdentity(tx, { provider, subject: claims.subject, userId, at })
      if (!known) throw fail('forbidden', 'This login of the provider opens another account already.')
      const user = { user_id: userId, username, email: claims.email, locale }
      return beginSession(ctx, tx, user, 'provider', browser)
    },
  )
  return { session: session ?? null, next }
})
