/** Who acts on the pages for their own login, and whether they just proved that it is them. */
import { fail } from '@murmuration/contracts/kit'
import type { Context } from '../context.js'
import type { SessionRow } from '../store/session.js'
import { personOfSession } from './session-person.js'

/** People who have no password prove themselves by having signed in this recently (D009). */
const FRESH_MS = 900_000

/** The person behind a session; throws when nobody is. */
export const signedIn = async (
  ctx: Pick<Context, 'db' | 'tokens' | 'clock' | 'log'>,
  session: string,
): Promise<SessionRow> => {
  const person = await personOfSession(ctx, session)
  if (!person) throw fail('unauthenticated', 'This method requires an authenticated user')
  return person
}

/** Throws when the password is not theirs. */
export const mustProve = async (
  ctx: Pick<Context, 'passwords' | 'clock'>,
  person: SessionRow,
  password: string,
): Promise<void> => {
  if (person.password_hash === null) {
    if (ctx.clock.now() - person.session_created_at.getTime() <= FRESH_MS) return
    throw fail('unprocessable', 'Sign out and in again first: this can be done for 15 minutes after signing in.')
  }
  if (!(await ctx.passwords.matches(person.password_hash, password)))
    throw fail('unprocessable', 'The password is not right.')
}
