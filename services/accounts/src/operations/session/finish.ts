/** The second step of a sign-in: a code or a passkey, for who took the first (A082). */
import { sessionFinish } from '@murmuration/contracts/accounts'
import type { Tx } from '@murmuration/db'
import { type FactorStep, isShut } from '../../changes/first-step.js'
import { writeLetter } from '../../changes/letter.js'
import { takeCode, takeKey } from '../../changes/second-factor.js'
import { beginSession, noteFailure } from '../../changes/session.js'
import { dataOf } from '../../changes/sign-in-step.js'
import type { Context } from '../../context.js'
import { handle } from '../../doors.js'
import { insertIdentity } from '../../store/identity.js'
import { type StepRow, takeChallenge, takeStepByDigest, tryStep } from '../../store/sign-in-step.js'
import { personByUserId } from '../../store/user.js'
import { type Factors, factorsOf } from '../../views/second-factor.js'

/** Wrong answers to one first step; then the password has to be typed again, which is counted for itself. */
const MOST_TRIES = 5

const over = { state: 'over' as const, session: null }

interface Answer {
  code: string | null
  credential: string | null
}

const methodOf = async (ctx: Context, tx: Tx, step: StepRow, factors: Factors, answer: Answer) => {
  if (answer.credential === null) return takeCode(ctx, tx, step.user_id ?? '', factors, answer.code ?? '')
  const asked = step.challenge !== null && (await takeKey(ctx, tx, factors, step.challenge, answer.credential))
  return asked ? ('key' as const) : null
}

export const finishSignIn = handle(sessionFinish, async (ctx, _viewer, { proof, ip, userAgent, ...answer }) => {
  const at = ctx.clock.date()
  const hash = ctx.tokens.digest(proof)
  const step = await tryStep(ctx.db, hash, 'factor', MOST_TRIES, at)
  const person = step?.user_id ? await personByUserId(ctx.db, step.user_id) : null
  if (!step || !person || isShut(person)) return over
  const factors = await factorsOf(ctx.db, person.user_id)
  if (!factors) return over
  // A challenge is answered once, right or wrong, whoever else answers it at the same moment (A083).
  const mayAnswer =
    answer.credential === null || (step.challenge !== null && (await takeChallenge(ctx.db, hash, step.challenge)))
  const session = mayAnswer
    ? await ctx.db.tx(async (tx) => {
        const method = await methodOf(ctx, tx, step, factors, answer)
        if (!method || !(await takeStepByDigest(tx, hash, 'factor', at))) return null
        if (method === 'backup-code') await writeLetter(ctx, tx, person, 'recovery-code-used')
        const { link } = dataOf<FactorStep>(ctx, step)
        if (link) await insertIdentity(tx, { ...link, userId: person.user_id, at })
        return beginSession(ctx, tx, person, method, { ip, userAgent })
      })
    : null
  if (session !== null) return { state: 'signed-in' as const, session }
  await noteFailure(ctx, person.user_id, answer.credential === null ? 'code' : 'key', { ip, userAgent })
  return { state: 'refused' as const, session: null }
})
