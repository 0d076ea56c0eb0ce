/** Makes a login without password for somebody from a provider, and signs them in. */
import { identityClaim } from '@murmuration/contracts/accounts'
import { fail } from '@murmuration/contracts/kit'
import { createPerson } from '../../changes/person.js'
import { beginSession } from '../../changes/session.js'
import { dataOf } from '../../changes/sign-in-step.js'
import { addressProblems, nameProblems } from '../../changes/sign-up.js'
import { refuseIfAny } from '../../domain/problem.js'
import { handle } from '../../doors.js'
import { insertIdentity } from '../../store/identity.js'
import { stepByDigest, takeStepByDigest } from '../../store/sign-in-step.js'
import type { NewcomerStep } from '../../views/identity.js'

const closed = () => fail('forbidden', 'Registrations are closed.')

export const claimIdentity = handle(identityClaim, async (ctx, _viewer, { step, username: typed, ...browser }) => {
  const at = ctx.clock.date()
  const hash = ctx.tokens.digest(step)
  const row = await stepByDigest(ctx.db, hash, 'identity', at)
  if (!row || row.user_id !== null) return { session: null, next: '/' }
  const { provider, claims, next } = dataOf<NewcomerStep>(ctx, row)
  const blocked = ctx.policy.access().ip(browser.ip, ctx.clock.now())
  if (ctx.config.singleUser || blocked === 'sign_up_block' || blocked === 'no_access') throw closed()
  const username = typed.trim()
  const [wrongName, address] = await Promise.all([nameProblems(ctx, username), addressProblems(ctx, claims.email)])
  refuseIfAny([...wrongName, ...address.problems])
  const locale = ctx.policy.settings().languages[0] ?? 'en'
  const { more: session } = await createPerson(
    ctx,
    {
      username,
      email: claims.email,
      password: null,
      roleId: null,
      // An address that the provider does not vouch for is proved by our own letter, as with any sign-up.
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
      const person = { user_id: userId, username, email: claims.email, locale }
      return beginSession(ctx, tx, person, 'provider', browser)
    },
  )
  return { session: session ?? null, next }
})
