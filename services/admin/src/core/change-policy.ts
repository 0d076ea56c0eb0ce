/** Changes of the instance policy: a new revision in the transaction of the change, and publication after it. */
import type { Database, Tx } from '@murmuration/db'
import { nextRevision } from './policy-revision.store.js'

export interface PolicyPublication {
  /**
   * Publishes the policy. Resolves when the NATS bucket contains the state that the database had at this call, or a
   * newer state.
   */
  publish(): Promise<void>
  /**
   * Publishes the policy after a change, and waits a limited time for the publication. If the publication takes longer,
   * a tick publishes the change.
   */
  afterChange(): Promise<void>
}

/**
 * Runs a change of the policy in a transaction, and publishes the new state after the commit. All processes together
 * run one change at a time.
 */
export const changePolicy = async <T>(
  ctx: { db: Database; publication: PolicyPublication },
  work: (tx: Tx) => Promise<T>,
): Promise<T> => {
  const result = await ctx.db.tx(async (tx) => {
    await nextRevision(tx)
    return work(tx)
  })
  await ctx.publication.afterChange()
  return result
}
