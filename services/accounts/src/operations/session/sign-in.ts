/** Signs a person in with a password, or takes the first of two steps; every refusal looks and takes the same. */
import { sessionSignIn } from '@murmuration/contracts/accounts'
import { fail } from '@murmuration/contracts/kit'
import { isShut, passFirstStep } from '../../changes/first-step.js'
import { noteFailure } from '../../changes/session.js'
import { handle } from '../../doors.js'
import { personByName } from '../../views/person-by-password.js'

const refused = { state: 'refused' as const, session: null, proof: null }

export const signIn = handle(sessionSignIn, async (ctx, _viewer, { email, password, ip, userAgent }) => {
  if (ctx.config.externalOnly) throw fail('forbidden', 'Signing in with a password is not possible here.')
  const person = await personByName(ctx, email)
  const right = await ctx.passwords.matches(person?.password_hash ?? null, password)
  if (person && !right)
    // Not waited for, so that existing names take no longer (D004).
    noteFailure(ctx, person.user_id, 'password', { ip, userAgent }).catch((error) =>
      ctx.log.warn({ error }, 'a failed sign-in was not noted'),
    )
  if (!person || !right || isShut(person)) return refused
  const entry = await passFirstStep(ctx, person, 'password', { ip, userAgent })
  return entry.kind === 'signed-in'
    ? { state: 'signed-in' as const, session: entry.session, proof: null }
    : { state: 'second-factor' as const, session: null, proof: entry.proof }
})
