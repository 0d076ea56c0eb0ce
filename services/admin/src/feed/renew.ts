/**
 * Tasks that build and clear feeds: the accounts service lists the owners of feeds, and the statuses service builds or
 * clears the feeds.
 */
import { feedOwners } from '@murmuration/contracts/accounts'
import { renewFeeds } from '@murmuration/contracts/statuses'
import { taskKind } from '@murmuration/kernel'
import type { Context } from '../context.js'

/** Maximum number of feed owners per step when feeds are built. Building a feed takes some tens of milliseconds. */
const BUILT = 10
const CLEARED = 200
const BUILD_MS = 60_000

export interface FeedsInput {
  account: string | null
  /** User name of the account. Absent in tasks that a process of an older release started. */
  username?: string | null
  /** Only feeds of accounts that were active since this time (ISO 8601) are built or cleared. */
  since: string | null
}

interface Prepared {
  next: string | null
  seen: number
  changed: number
}

const kindOf = (build: boolean) =>
  taskKind<Context>()<FeedsInput, Prepared>({
    name: build ? 'build-feeds' : 'clear-feeds',
    permission: 'view_devops',
    act: ({ account, username }) => ({
      action: build ? 'build_feeds' : 'clear_feeds',
      target: username ?? account ?? '',
      ...(account !== null && { targetId: account }),
    }),
    // Feeds are built or cleared outside of the transaction, because doing so twice has the same result.
    async prepare(ctx, { input, after, dryRun }) {
      const { account: id, since } = input
      const limit = build ? BUILT : CLEARED
      const { owners, next } = await ctx.call(feedOwners, { after: after || '0', limit, since, id })
      const seen = owners.length
      if (seen === 0) return { next, seen, changed: 0 }
      if (dryRun) return { next, seen, changed: owners.reduce((sum, one) => sum + 1 + one.lists.length, 0) }
      const { feeds } = await ctx.call(renewFeeds, { owners, build }, { timeoutMs: BUILD_MS })
      return { next, seen, changed: feeds }
    },
    apply: async (_ctx, _tx, _step, prepared) => prepared,
  })

export const buildFeedsKind = kindOf(true)
export const clearFeedsKind = kindOf(false)
