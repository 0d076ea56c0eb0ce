/**
 * Erases statuses that were stored while their author was being deleted, which the erasure of the author may have
 * missed.
 */
import { eraseAuthor } from '@murmuration/contracts/statuses'
import type { Context } from '../context.js'
import { deletedAmong } from '../core/author/store.js'

/** Queues another erasure for deleted authors. The caller must have committed its transaction before. */
export const eraseIfDeleted = async (ctx: Pick<Context, 'db' | 'queue'>, authors: readonly string[]): Promise<void> => {
  const gone = await deletedAmong(ctx.db, authors)
  if (gone.length > 0) await ctx.db.tx((tx) => ctx.queue(tx, eraseAuthor, ...gone.map((author) => ({ author }))))
}
