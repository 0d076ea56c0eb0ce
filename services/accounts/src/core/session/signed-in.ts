/** Reads the user of a browser session and checks the password, for settings pages. */
import { fail } from '@murmuration/contracts/kit'
import type { Tx } from '@murmuration/db'
import type { Context } from '../../context.js'
import { type AccountRow, accountById } from '../account/store.js'
import { lockUsers } from '../user/store.js'
import { sessionLimits, TOUCH_MS } from './rules.js'
import { type SessionRow, touchSession, userBySession } from './store.js'

/** Time after sign-in, in milliseconds (15 minutes), in which a user without password needs no further proof (D009). */
const FRESH_MS = 900_000

export const notSignedIn = () => fail('unauthenticated', 'This method requires an authenticated user')

/** Returns the user of a session. Throws an authentication error if the session is not valid. */
export const signedIn = async (
  ctx: Pick<Context, 'db' | 'tokens' | 'clock' | 'log'>,
  session: string,
): Promise<SessionRow> => {
  const user = await userOfSession(ctx, session)
  if (!user) throw notSignedIn()
  return user
}

/**
 * Locks the user of a session for the transaction, and returns the current row. Null if the session ended meanwhile, for
 * example with a change of the password.
 */
export const lockSession = async (
  ctx: Pick<Context, 'tokens' | 'clock'>,
  tx: Tx,
  session: string,
  { user_id }: Pick<SessionRow, 'user_id'>,
): Promise<SessionRow | null> => {
  await lockUsers(tx, [user_id])
  return userBySession(tx, ctx.tokens.digest(session), sessionLimits(ctx.clock.now()))
}

/** Locks the user like `lockSession`. Throws an authentication error if the session ended meanwhile. */
export const lockSignedIn = async (...given: Parameters<typeof lockSession>): Promise<SessionRow> => {
  const user = await lockSession(...given)
  if (!user) throw notSignedIn()
  return user
}

/** Throws if the password of the signed-in user is wrong. A user without a password must have signed in during the last 15 minutes. */
export const requirePassword = async (
  ctx: Pick<Context, 'passwords' | 'clock'>,
  user: SessionRow,
  password: string,
): Promise<void> => {
  if (user.password_hash === null) {
    if (ctx.clock.now() - user.session_created_at.getTime() <= FRESH_MS) return
    throw fail('unprocessable', 'Sign out and in again first: this can be done for 15 minutes after signing in.')
  }
  if (!(await ctx.passwords.matches(user.password_hash, password)))
    throw fail('unprocessable', 'The password is not right.')
}

/** Returns the user of a session; null if there is no such session or it expired. */
export const userOfSession = async (
  ctx: Pick<Context, 'db' | 'tokens' | 'clock' | 'log'>,
  session: string,
): Promise<SessionRow | null> => {
  const now = ctx.clock.now()
  const row = await userBySession(ctx.db, ctx.tokens.digest(session), sessionLimits(now))
  if (row && now - row.session_used_at.getTime() > TOUCH_MS)
    touchSession(ctx.db, row.session_id, new Date(now)).catch((error) =>
      ctx.log.warn({ error }, 'the last use of a session was not stored'),
    )
  return row
}

const DISABLED = 'Your login is currently disabled'

/** Throws if a user may not manage their account. */
const requireManageable = (user: SessionRow): void => {
  if (user.disabled || user.suspended || user.memorial) throw fail('forbidden', DISABLED)
  if (!user.confirmed) throw fail('forbidden', 'Your login is missing a confirmed e-mail address')
  if (!user.approved) throw fail('forbidden', 'Your login is currently pending approval')
}

/**
 * Returns account and user of a session. Accounts that moved may still be managed; suspended and disabled ones may not.
 */
export const accountOfSession = async (
  ctx: Pick<Context, 'db' | 'tokens' | 'clock' | 'log'>,
  session: string,
): Promise<{ account: AccountRow; user: SessionRow }> => {
  const user = await signedIn(ctx, session)
  const account = await accountById(ctx.db, user.account_id)
  if (!account) throw fail('forbidden', DISABLED)
  requireManageable(user)
  return { account, user }
}

/** Locks the user of a session like `lockSignedIn`. Throws like `accountOfSession` if the account was disabled meanwhile. */
export const lockAccountOfSession = async (...given: Parameters<typeof lockSession>): Promise<void> =>
  requireManageable(await lockSignedIn(...given))
