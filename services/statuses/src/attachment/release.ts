/** Queues the deletion of files in the transaction that deletes their statuses or preview cards. */
import { releaseFiles } from '@murmuration/contracts/statuses'
import type { Tx } from '@murmuration/db'
import { chunk } from '@murmuration/flow'
import type { Context } from '../context.js'

/** Maximum number of statuses or cards in one job. */
const MAX_HOLDERS = 200

export const queueRelease = async (ctx: Pick<Context, 'queue'>, tx: Tx, holders: readonly string[]): Promise<void> => {
  await ctx.queue(tx, releaseFiles, ...chunk(holders, MAX_HOLDERS).map((some) => ({ holders: some })))
}

/** Queues the deletion of pictures that preview cards no longer show. */
export const queueImageRelease = async (
  ctx: Pick<Context, 'queue'>,
  tx: Tx,
  cards: readonly { id: string; image: string }[],
): Promise<void> => {
  const jobs = chunk(cards, MAX_HOLDERS).map((some) => ({
    holders: some.map((one) => one.id),
    files: some.map((one) => one.image),
  }))
  await ctx.queue(tx, releaseFiles, ...jobs)
}
