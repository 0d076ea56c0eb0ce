/**
 * The task that removes old remote statuses. The statuses service lists and removes them, except statuses that reports
 * or strikes refer to.
 */
import { removeUnreferencedStatuses, unreferencedStatuses } from '@murmuration/contracts/statuses'
import { taskKind } from '@murmuration/kernel'
import type { Context } from '../context.js'
import { reportedAmong } from './store.js'

export interface StatusesInput {
  days: number
  /** Only statuses with a lower id are removed. */
  before: string
  batch: number
  /** True: statuses of authors with local followers are removed too. */
  cleanFollowed: boolean
}

interface Prepared {
  next: string | null
  seen: number
  changed: number
}

export const statusesKind = taskKind<Context>()<StatusesInput, Prepared>({
  name: 'remove-statuses',
  permission: 'manage_federation',
  act: ({ days }) => ({ action: 'remove_statuses', target: `${days} days` }),
  // The statuses service removes the statuses in its own transactions. A repeated step does not list removed statuses
  // again.
  async prepare(ctx, { input, after, dryRun }) {
    const { before, batch, cleanFollowed } = input
    const window = { after: after || '0', before, limit: batch, clean_followed: cleanFollowed }
    const { statuses, seen, next } = await ctx.call(unreferencedStatuses, window)
    const reported = await reportedAmong(ctx.db, [...new Set(statuses.map((one) => one.author))])
    const ids = statuses.filter((one) => !reported.has(one.id)).map((one) => one.id)
    if (dryRun || ids.length === 0) return { next, seen, changed: ids.length }
    const { removed } = await ctx.call(removeUnreferencedStatuses, { ids, before })
    return { next, seen, changed: removed }
  },
  apply: async (_ctx, _tx, _step, prepared) => prepared,
})
