/**
 * The task that prunes remote accounts. The accounts service lists candidates and removes them. Accounts that statuses,
 * reports or strikes refer to stay.
 */
import { accountsPrunable, pruneAccounts } from '@murmuration/contracts/accounts'
import { findReferencedAccounts } from '@murmuration/contracts/statuses'
import { chunk } from '@murmuration/flow'
import { taskKind } from '@murmuration/kernel'
import type { Context } from '../context.js'
import { moderatedOf } from './store.js'

const SLICE = 500

interface Prepared {
  next: string | null
  seen: number
  changed: number
}

/** The accounts among `ids` that statuses, reports or strikes refer to. */
const involvedOf = async (ctx: Context, ids: readonly string[]): Promise<Set<string>> => {
  const results = await Promise.all(
    chunk([...ids], SLICE).map((some) => ctx.call(findReferencedAccounts, { ids: some })),
  )
  return new Set([...results.flatMap((result) => result.ids), ...(await moderatedOf(ctx.db, ids))])
}

export const pruneKind = taskKind<Context>()<Record<string, never>, Prepared>({
  name: 'prune-accounts',
  permission: 'manage_federation',
  act: () => ({ action: 'prune_accounts', target: '' }),
  // The accounts service removes the accounts in its own transactions. A repeated step does not list removed accounts
  // again.
  async prepare(ctx, { after, dryRun }) {
    const { ids, seen, next } = await ctx.call(accountsPrunable, { after: after || '0' })
    const involved = await involvedOf(ctx, ids)
    const free = ids.filter((id) => !involved.has(id))
    if (dryRun) return { next, seen, changed: free.length }
    const removed = await Promise.all(chunk(free, SLICE).map((some) => ctx.call(pruneAccounts, { ids: some })))
    return { next, seen, changed: removed.reduce((sum, one) => sum + one.removed, 0) }
  },
  apply: async (_ctx, _tx, _step, prepared) => prepared,
})
