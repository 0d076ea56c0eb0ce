/** The first step of signing in: a session begins, or the second step if there is one. */
import type { Context } from '../context.js'
import { insertIdentity } from '../core/identity.store.js'
import type { UserRow } from '../core/user.store.js'
import { factorsOf } from '../second-factor/index.js'
import { beginStep } from '../sign-in-step/index.js'
import { type Browser, beginSession } from './begin.js'

/** An identity that is joined to the login once all steps are taken. */
export interface Joining {
  readonly provider: string
  readonly subject: string
}
/** Data of the first step that the second step needs. */
export interface FactorStep {
  readonly link: Joining | null
}

export type Entry = { kind: 'signed-in'; session: string } | { kind: 'second-factor'; proof: string }

/** True for logins that cannot sign in. */
export const isShut = (person: Pick<UserRow, 'disabled' | 'memorial'>): boolean => person.disabled || person.memorial

export const passFirstStep = async (
  ctx: Pick<Context, 'db' | 'ids' | 'clock' | 'tokens' | 'seal' | 'announce' | 'log'>,
  person: UserRow,
  method: 'password' | 'provider',
  browser: Browser,
  link: Joining | null = null,
): Promise<Entry> => {
  if (await factorsOf(ctx.db, person.user_id)) {
    const data: FactorStep = { link }
    return {
      kind: 'second-factor',
      proof: await beginStep(ctx, ctx.db, { kind: 'factor', userId: person.user_id, data }),
    }
  }
  const session = await ctx.db.tx(async (tx) => {
    if (link) await insertIdentity(tx, { ...link, userId: person.user_id, at: ctx.clock.date() })
    return beginSession(ctx, tx, person, method, browser)
  })
  return { kind: 'signed-in', session }
}
