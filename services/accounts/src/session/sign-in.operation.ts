/** Handlers of sign-ins in one or two steps, and of their history. */
import { finishSignIn, listSignIns, sessionFactors, signInUser } from '@murmuration/contracts/accounts'
import { fail } from '@murmuration/contracts/kit'
import type { Tx } from '@murmuration/db'
import type { Context } from '../context.js'
import { linkProvider } from '../core/credential/link-provider.js'
import { userByName } from '../core/credential/own-login.js'
import { signedIn } from '../core/session/signed-in.js'
import { lockUser, userById } from '../core/user/store.js'
import { handle } from '../handlers.js'
import { writeMail } from '../mail/index.js'
import {
  authenticationOptions,
  type Factors,
  factorsOf,
  relyingParty,
  takeCode,
  takeKey,
} from '../second-factor/index.js'
import {
  dataOf,
  type StepRow,
  setChallenge,
  stepByDigest,
  takeChallenge,
  takeStepByDigest,
  tryStep,
} from '../sign-in-step/index.js'
import { beginSession, recordFailure } from './begin.js'
import { type FactorStep, isLoginDisabled, passFirstStep } from './first-step.js'
import { attemptsOf } from './sign-in.store.js'

/** Every refused sign-in gets the same response, so that the response does not reveal whether the user exists. */
const refused = { state: 'refused' as const, session: null, proof: null }

export const signIn = handle(signInUser, async (ctx, _viewer, { email, password, ip, userAgent }) => {
  if (ctx.config.externalOnly) throw fail('forbidden', 'Signing in with a password is not possible here.')
  const user = await userByName(ctx, email)
  const right = await ctx.passwords.matches(user?.password_hash ?? null, password)
  if (user && !right)
    // The write of the failed sign-in is not awaited, so that the response for existing users takes no longer than for unknown ones (D004).
    recordFailure(ctx, user.user_id, 'password', { ip, userAgent }).catch((error) =>
      ctx.log.warn({ error }, 'a failed sign-in was not stored'),
    )
  if (!user || !right || isLoginDisabled(user)) return refused
  const entry = await passFirstStep(ctx, user, 'password', { ip, userAgent })
  if (entry === null) return refused
  return entry.kind === 'signed-in'
    ? { state: 'signed-in' as const, session: entry.session, proof: null }
    : { state: 'second-factor' as const, session: null, proof: entry.proof }
})

/** Returns the second factors that a sign-in accepts. Each call creates a new challenge for passkeys. */
export const showFactors = handle(sessionFactors, async (ctx, _viewer, { proof }) => {
  const hash = ctx.tokens.digest(proof)
  const step = await stepByDigest(ctx.db, hash, 'factor', ctx.clock.date())
  const factors = step?.user_id ? await factorsOf(ctx.db, step.user_id) : null
  if (!factors) return { factors: null }
  if (factors.keys.length === 0) return { factors: { codes: factors.codes !== null, keyOptions: null } }
  const { options, challenge } = await authenticationOptions(relyingParty(ctx), factors.keys)
  await setChallenge(ctx.db, hash, challenge)
  return { factors: { codes: factors.codes !== null, keyOptions: options } }
})

/**
 * Maximum number of responses to a second step. After the last wrong response, the user must enter the password again.
 * The password has its own limit of tries.
 */
const MAX_TRIES = 5

const over = { state: 'over' as const, session: null }

interface GivenFactor {
  code: string | null
  credential: string | null
}

const methodOf = async (ctx: Context, tx: Tx, step: StepRow, factors: Factors, factor: GivenFactor) => {
  if (factor.credential === null) return takeCode(ctx, tx, step.user_id ?? '', factors, factor.code ?? '')
  const isAccepted = step.challenge !== null && (await takeKey(ctx, tx, factors, step.challenge, factor.credential))
  return isAccepted ? ('key' as const) : null
}

export const finish = handle(finishSignIn, async (ctx, _viewer, { proof, ip, userAgent, ...factor }) => {
  const at = ctx.clock.date()
  const hash = ctx.tokens.digest(proof)
  const step = await tryStep(ctx.db, hash, 'factor', MAX_TRIES, at)
  const user = step?.user_id ? await userById(ctx.db, step.user_id) : null
  if (!step || !user || isLoginDisabled(user)) return over
  const factors = await factorsOf(ctx.db, user.user_id)
  if (!factors) return over
  // A challenge accepts one response, valid or not. Of concurrent responses, only one is checked (A083).
  const isChallengeValid =
    factor.credential === null || (step.challenge !== null && (await takeChallenge(ctx.db, hash, step.challenge)))
  const session = isChallengeValid
    ? await ctx.db.tx(async (tx) => {
        const locked = await lockUser(tx, user.user_id)
        if (!locked || isLoginDisabled(locked)) return null
        const method = await methodOf(ctx, tx, step, factors, factor)
        if (!method || !(await takeStepByDigest(tx, hash, 'factor', at))) return null
        if (method === 'backup-code') await writeMail(ctx, tx, user, 'recovery-code-used')
        const { link } = dataOf<FactorStep>(ctx, step)
        if (link) await linkProvider(ctx, tx, { ...link, userId: user.user_id, at })
        return beginSession(ctx, tx, user, method, { ip, userAgent })
      })
    : null
  if (session !== null) return { state: 'signed-in' as const, session }
  await recordFailure(ctx, user.user_id, factor.credential === null ? 'code' : 'key', { ip, userAgent })
  return { state: 'refused' as const, session: null }
})

const PAGE = 40

/** Returns recent sign-ins of the user, successful and failed ones, newest first. */
export const list = handle(listSignIns, async (ctx, _viewer, { session, before }) => {
  const user = await signedIn(ctx, session)
  const rows = await attemptsOf(ctx.db, user.user_id, { before, limit: PAGE })
  return {
    attempts: rows.map((row) => ({
      id: row.id,
      method: row.method,
      succeeded: row.succeeded,
      ip: row.ip,
      userAgent: row.user_agent,
      created_at: row.created_at.toISOString(),
    })),
  }
})
