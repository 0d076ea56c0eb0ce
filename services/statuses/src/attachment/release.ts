/** Queues the deletion of files, in the transaction in which their holders go. */
import { releaseFiles } from '@murmuration/contracts/statuses'
import type { Tx } from '@murmuration/db'
import type { Context } from '../context.js'

/** Holders of one job. */
const MOST = 200

export const queueRelease = async (ctx: Pick<Context, 'queue'>, tx: Tx, holders: readonly string[]): Promise<void> => {
  const parts = Array.from({ length: Math.ceil(holders.length / MOST) }, (_, n) =>
    holders.slice(n * MOST, (n + 1) * MOST),
  )
  await ctx.queue(tx, releaseFiles, ...parts.map((some) => ({ holders: some })))
}
