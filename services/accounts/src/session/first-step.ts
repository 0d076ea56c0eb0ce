/** First step of a sign-in: it begins a session, or the second step if the user has a second factor. */
import type { Context } from '../context.js'
import { linkProvider } from '../core/credential/link-provider.js'
import { lockUser, type UserRow } from '../core/user/store.js'
import { factorsOf } from '../second-factor/index.js'
import { beginStep } from '../sign-in-step/index.js'
import { type Browser, beginSession } from './begin.js'

/** An identity of an identity provider that is linked to the user when all sign-in steps are done. */
export interface Joining {
  readonly provider: string
  readonly subject: string
}
/** Data of the first step that the second step needs. */
export interface FactorStep {
  readonly link: Joining | null
}

export type Entry = { kind: 'signed-in'; session: string } | { kind: 'second-factor'; proof: string }

/** Whether the user cannot sign in, because the account is disabled or a memorial. */
export const isLoginDisabled = (user: Pick<UserRow, 'disabled' | 'memorial'>): boolean => user.disabled || user.memorial

/**
 * Begins the session, or the second step, of a user whose password or identity was accepted. Returns null if the user
 * can no longer sign in, or if the accepted password was changed meanwhile.
 */
export const passFirstStep = (
  ctx: Pick<Context, 'db' | 'ids' | 'clock' | 'tokens' | 'secretCipher' | 'announce' | 'log'>,
  accepted: UserRow,
  method: 'password' | 'provider',
  browser: Browser,
  link: Joining | null = null,
): Promise<Entry | null> =>
  ctx.db.tx(async (tx) => {
    const user = await lockUser(tx, accepted.user_id)
    if (!user || isLoginDisabled(user)) return null
    if (method === 'password' && user.password_hash !== accepted.password_hash) return null
    if (await factorsOf(tx, user.user_id)) {
      const data: FactorStep = { link }
      const proof = await beginStep(ctx, tx, { kind: 'factor', userId: user.user_id, data })
      return { kind: 'second-factor', proof }
    }
    if (link) await linkProvider(ctx, tx, { ...link, userId: user.user_id, at: ctx.clock.date() })
    return { kind: 'signed-in', session: await beginSession(ctx, tx, user, method, browser) }
  })
