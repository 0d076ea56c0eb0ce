/** Who acts from a settings page: the login and the account behind a browser session. */
import { fail } from '@murmuration/contracts/kit'
import type { Context } from '../context.js'
import { type AccountRow, accountById } from '../store/account.js'
import { type PersonRow, personByUserId } from '../store/user.js'
import { personOfSession } from './session-person.js'

/** People who moved away may still look after their old account; suspended and disabled ones may not. */
export const accountOfSession = async (
  ctx: Pick<Context, 'db' | 'tokens' | 'clock' | 'log'>,
  session: string,
): Promise<{ account: AccountRow; person: PersonRow }> => {
  const signedIn = await personOfSession(ctx, session)
  const person = signedIn && (await personByUserId(ctx.db, signedIn.user_id))
  const account = person && (await accountById(ctx.db, person.account_id))
  if (!person || !account) throw fail('unauthenticated', 'Sign in first.')
  if (person.disabled || person.suspended || person.memorial)
    throw fail('forbidden', 'Your login is currently disabled')
  if (!person.confirmed) throw fail('forbidden', 'Your login is missing a confirmed e-mail address')
  if (!person.approved) throw fail('forbidden', 'Your login is currently pending approval')
  return { account, person }
}
