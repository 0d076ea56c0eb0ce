/**
 * Erases statuses that were stored while their author was being deleted, which the erasure of the author may have
 * missed.
 */
import { eraseAuthor } from '@murmuration/contracts/statuses'
import type { Context } from '../context.js'
import { deletedAmong } from '../core/author/store.js'

/** Queues another erasure for deleted authors. The caller must have committed its transaction before. */
export const eraseIfDeleted = async (
  ctx: Pick<Context, 'db' | 'queues' | 'ids'>,
  authors: readonly string[],
): Promise<void> => {
  const gone = await deletedAmong(ctx.db, authors)
  await Promise.all(
    gone.map((author) => ctx.queues.push(eraseAuthor, { id: `${author} ${ctx.ids.next()}`, data: { author } })),
  )
}
