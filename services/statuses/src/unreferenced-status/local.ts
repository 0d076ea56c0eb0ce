/** Asks accounts which accounts are local. */
import { accountsInvolved } from '@murmuration/contracts/accounts'
import type { Context } from '../context.js'
import type { FindLocal } from './find.js'

/** Accounts of one request. */
const MOST = 1_000

export const findLocalOf =
  (ctx: Pick<Context, 'call'>): FindLocal =>
  async (accounts) => {
    const parts = Array.from({ length: Math.ceil(accounts.length / MOST) }, (_, n) =>
      accounts.slice(n * MOST, (n + 1) * MOST),
    )
    const answers = await Promise.all(parts.map((ids) => ctx.call(accountsInvolved, { ids })))
    return new Set(answers.flatMap((answer) => answer.local))
  }
