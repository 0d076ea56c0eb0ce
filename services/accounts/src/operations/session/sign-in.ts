/** Signs a person in with a password; every refusal looks and takes the same. */
import { sessionSignIn } from '@murmuration/contracts/accounts'
import { handle } from '../../doors.js'
import { insertSession } from '../../store/session.js'
import { noteActive } from '../../store/user.js'
import { personByPassword } from '../../views/person-by-password.js'

const MOST_AGENT = 500

export const signIn = handle(sessionSignIn, async (ctx, _viewer, { email, password, ip, userAgent }) => {
  const person = await personByPassword(ctx, email, password)
  if (!person || person.disabled || person.memorial) return { state: 'refused' as const, session: null, proof: null }
  // A fresh value at each sign-in; only its digest is kept (D012).
  const session = ctx.tokens.random()
  const at = ctx.clock.date()
  await ctx.db.tx(async (tx) => {
    await insertSession(tx, {
      id: ctx.ids.next(),
      userId: person.user_id,
      hash: ctx.tokens.digest(session),
      ip,
      userAgent: (userAgent ?? '').slice(0, MOST_AGENT),
      at,
    })
    await noteActive(tx, person.user_id, ip, at)
  })
  return { state: 'signed-in' as const, session, proof: null }
})
