/** Changes of the instance policy: a new revision in the transaction of the change, and publication after it. */
import type { Database, Tx } from '@murmuration/db'
import { nextRevision } from './policy-revision.store.js'

export interface PolicyPublication {
  /** Resolves when the bucket contains the database state from after this call, or a newer one. */
  publish(): Promise<void>
  /**
   * Publishes the policy after a change, and waits a limited time for the publication. If the publication takes longer,
   * a tick publishes the change.
   */
  afterChange(): Promise<void>
}

/** Runs a change of the policy in a transaction, one at a time in all processes, and publishes the new state after the commit. */
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
