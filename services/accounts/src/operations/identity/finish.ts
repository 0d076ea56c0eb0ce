/** A browser is back from a provider: known people sign in, others are asked who they are here (A084). */
import { identityFinish } from '@murmuration/contracts/accounts'
import { fail, notFound } from '@murmuration/contracts/kit'
import { isShut, passFirstStep } from '../../changes/first-step.js'
import { beginStep, dataOf } from '../../changes/sign-in-step.js'
import { handle } from '../../doors.js'
import { insertIdentity, userOfIdentity } from '../../store/identity.js'
import { takeStepByDigest } from '../../store/sign-in-step.js'
import { personByUserId } from '../../store/user.js'
import { type NewcomerStep, ownerOfAddress, type TripStep } from '../../views/identity.js'

const late = () => fail('forbidden', 'This sign-in took too long, or it began in another browser. Try again.')

export const finishIdentity = handle(
  identityFinish,
  async (ctx, _viewer, { provider: id, query, step, ...browser }) => {
    const provider = ctx.providers.get(id)
    if (!provider) throw notFound()
    const taken = await takeStepByDigest(ctx.db, ctx.tokens.digest(step), 'provider', ctx.clock.date())
    if (!taken) throw late()
    const { provider: began, trip, next, userId: joining } = dataOf<TripStep>(ctx, taken)
    // What began with one provider is not finished with the answer of another.
    if (began !== id) throw late()
    const claims = await provider.arrive(query, trip)

    const userId = await userOfIdentity(ctx.db, id, claims.subject)
    if (joining !== null) {
      const identity = { provider: id, subject: claims.subject, userId: joining, at: ctx.clock.date() }
      if (userId !== joining && !(await ctx.db.tx((tx) => insertIdentity(tx, identity))))
        throw fail('forbidden', `This login of ${provider.name} opens another account already.`)
      return { outcome: { kind: 'joined' as const, next } }
    }
    const person = userId && (await personByUserId(ctx.db, userId))
    if (person) {
      if (isShut(person)) throw fail('forbidden', 'Your login is currently disabled')
      return { outcome: { ...(await passFirstStep(ctx, person, 'provider', browser)), next } }
    }
    const { email } = claims
    if (email === null)
      throw fail('forbidden', `${provider.name} did not tell an e-mail address, which an account needs.`)
    const data: NewcomerStep = { provider: id, providerName: provider.name, claims: { ...claims, email }, next }
    const owner = await ownerOfAddress(ctx, data)
    if (owner && owner.password_hash === null)
      throw fail('forbidden', 'Somebody here has this e-mail address already. Sign in the way you did before.')
    return {
      outcome: {
        kind: 'unknown' as const,
        step: await beginStep(ctx, ctx.db, { kind: 'identity', userId: owner?.user_id ?? null, data }),
        next,
      },
    }
  },
)
