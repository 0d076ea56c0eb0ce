/** Who looks after their account from a settings page: the login and the account behind a browser session. */
import { fail } from '@murmuration/contracts/kit'
import type { Context } from '../context.js'
import { type AccountRow, accountById } from '../store/account.js'
import type { SessionRow } from '../store/session.js'
import { signedIn } from './signed-in.js'

/** People who moved away may still look after their old account; suspended and disabled ones may not. */
export const accountOfSession = async (
  ctx: Pick<Context, 'db' | 'tokens' | 'clock' | 'log'>,
  session: string,
): Promise<{ account: AccountRow; person: SessionRow }> => {
  const person = await signedIn(ctx, session)
  const account = await accountById(ctx.db, person.account_id)
  if (!account || person.disabled || person.suspended || person.memorial)
    throw fail('forbidden', 'Your login is currently disabled')
  if (!person.confirmed) throw fail('forbidden', 'Your login is missing a confirmed e-mail address')
  if (!person.approved) throw fail('forbidden', 'Your login is currently pending approval')
  return { account, person }
}
