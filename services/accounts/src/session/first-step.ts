/** First step of a sign-in: it begins a session, or the second step if the user has a second factor. */
import type { Context } from '../context.js'
import { insertIdentity } from '../core/identity.store.js'
import type { UserRow } from '../core/user.store.js'
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

export const passFirstStep = async (
  ctx: Pick<Context, 'db' | 'ids' | 'clock' | 'tokens' | 'secretCipher' | 'announce' | 'log'>,
  user: UserRow,
  method: 'password' | 'provider',
  browser: Browser,
  link: Joining | null = null,
): Promise<Entry> => {
  if (await factorsOf(ctx.db, user.user_id)) {
    const data: FactorStep = { link }
    return {
      kind: 'second-factor',
      proof: await beginStep(ctx, ctx.db, { kind: 'factor', userId: user.user_id, data }),
    }
  }
  const session = await ctx.db.tx(async (tx) => {
    if (link) await insertIdentity(tx, { ...link, userId: user.user_id, at: ctx.clock.date() })
    return beginSession(ctx, tx, user, method, browser)
  })
  return { kind: 'signed-in', session }
}
