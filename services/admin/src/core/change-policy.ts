/** Changes of the instance policy: a new revision in the transaction of the change, and publication after it. */
import type { Database, Tx } from '@murmuration/db'
import { nextRevision } from './policy-revision.store.js'

export interface PolicyPublication {
  /** Resolves when the bucket contains the database state from after this call, or a newer one. */
  publish(): Promise<void>
  /** Publishes after a change and waits a moment. If that is not enough, the tick completes it. */
  afterChange(): Promise<void>
}

/** Changes what is published. Writers wait for each other. The new state is usually published when this resolves. */
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
