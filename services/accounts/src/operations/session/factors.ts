/** What the second step of a sign-in may be answered with; asks passkeys something new each time. */
import { sessionFactors } from '@murmuration/contracts/accounts'
import { handle } from '../../doors.js'
import { askKnownKeys } from '../../secrets/passkeys.js'
import { setChallenge, stepByDigest } from '../../store/sign-in-step.js'
import { factorsOf, relyingParty } from '../../views/second-factor.js'

export const showFactors = handle(sessionFactors, async (ctx, _viewer, { proof }) => {
  const hash = ctx.tokens.digest(proof)
  const step = await stepByDigest(ctx.db, hash, 'factor', ctx.clock.date())
  const factors = step?.user_id ? await factorsOf(ctx.db, step.user_id) : null
  if (!factors) return { factors: null }
  if (factors.keys.length === 0) return { factors: { codes: factors.codes !== null, keyOptions: null } }
  const { options, challenge } = await askKnownKeys(relyingParty(ctx), factors.keys)
  await setChallenge(ctx.db, hash, challenge)
  return { factors: { codes: factors.codes !== null, keyOptions: options } }
})
