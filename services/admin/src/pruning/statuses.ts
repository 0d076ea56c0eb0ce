/** Removes old remote statuses: statuses proposes a window, accounts and reports keep their own, statuses removes the rest. */
import { accountsInvolved } from '@murmuration/contracts/accounts'
import { unreferencedStatuses, unreferencedStatusesRemove } from '@murmuration/contracts/statuses'
import { taskKind } from '@murmuration/kernel'
import type { Context } from '../context.js'
import { slices } from '../core/slices.js'
import { reportedAmong } from './store.js'

const SLICE = 1_000

export interface StatusesInput {
  days: number
  /** Only statuses with a lower id. */
  before: string
  batch: number
  /** Also statuses of authors with a follower here. */
  cleanFollowed: boolean
}

interface Prepared {
  next: string | null
  seen: number
  changed: number
}

const followedOf = async (ctx: Context, authors: readonly string[]): Promise<Set<string>> => {
  const answers = await Promise.all(slices([...authors], SLICE).map((ids) => ctx.call(accountsInvolved, { ids })))
  return new Set(answers.flatMap((answer) => answer.followed))
}

export const statusesKind = taskKind<Context>()<StatusesInput, Prepared>({
  name: 'remove-statuses',
  permission: 'manage_federation',
  act: ({ days }) => ({ action: 'remove_statuses', target: `${days} days` }),
  // Statuses removes in its own transactions; what is removed already is not proposed again.
  async prepare(ctx, { input, after, dryRun }) {
    const { before, batch, cleanFollowed } = input
    const { statuses, seen, next } = await ctx.call(unreferencedStatuses, { after: after || '0', before, limit: batch })
    const authors = [...new Set(statuses.flatMap((one) => one.authors))]
    const followed = cleanFollowed ? new Set<string>() : await followedOf(ctx, authors)
    const reported = await reportedAmong(ctx.db, [...new Set(statuses.map((one) => one.author))])
    const ids = statuses
      .filter((one) => !reported.has(one.id) && !one.authors.some((author) => followed.has(author)))
      .map((one) => one.id)
    if (dryRun || ids.length === 0) return { next, seen, changed: ids.length }
    const { removed } = await ctx.call(unreferencedStatusesRemove, { ids, before })
    return { next, seen, changed: removed }
  },
  apply: async (_ctx, _tx, _step, prepared) => prepared,
})
