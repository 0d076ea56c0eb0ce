/**
 * Begins a browser session: stores the session and the sign-in, and creates an e-mail if the network of the IP address
 * is new.
 */
import type { Tx } from '@murmuration/db'
import type { Context } from '../context.js'
import { insertSession } from '../core/session/store.js'
import { recordActivity } from '../core/user/store.js'
import { type Addressee, writeMail } from '../mail/index.js'
import { insertAttempt, isNewNetwork, type SignInMethod } from './sign-in.store.js'

/** Origin of a sign-in: the browser and its IP address. */
export interface Browser {
  readonly ip: string | null
  readonly userAgent: string | null
}

const MAX_AGENT = 500
const agentOf = ({ userAgent }: Browser): string => (userAgent ?? '').slice(0, MAX_AGENT)

type Beginning = Pick<Context, 'ids' | 'clock' | 'tokens' | 'announce' | 'log'>

/**
 * Begins a session and returns the value of its cookie, which is new at each sign-in. The database contains only the
 * digest of the cookie (D012).
 */
export const beginSession = async (
  ctx: Beginning,
  tx: Tx,
  user: Addressee,
  method: SignInMethod,
  browser: Browser,
): Promise<string> => {
  const session = ctx.tokens.random()
  const at = ctx.clock.date()
  const { ip } = browser
  const userAgent = agentOf(browser)
  const userId = user.user_id
  if (ip !== null && (await isNewNetwork(tx, userId, ip)))
    await writeMail(ctx, tx, user, 'sign-in', { values: { ip, browser: userAgent, at: at.toISOString() } })
  await insertSession(tx, { id: ctx.ids.next(), userId, hash: ctx.tokens.digest(session), ip, userAgent, at })
  await insertAttempt(tx, { id: ctx.ids.next(), userId, method, succeeded: true, ip, userAgent, at })
  await recordActivity(tx, userId, ip, at)
  tx.onCommit(() => ctx.log.info({ userId, method }, 'signed in'))
  return session
}

/** Stores a failed sign-in of a user. */
export const recordFailure = (
  ctx: Pick<Context, 'db' | 'ids' | 'clock' | 'log'>,
  userId: string,
  method: SignInMethod,
  browser: Browser,
): Promise<void> => {
  ctx.log.info({ userId, method }, 'a sign-in failed')
  return insertAttempt(ctx.db, {
    id: ctx.ids.next(),
    userId,
    method,
    succeeded: false,
    ip: browser.ip,
    userAgent: agentOf(browser),
    at: ctx.clock.date(),
  })
}
