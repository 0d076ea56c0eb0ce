/** Erases statuses stored during the deletion of their author, which the erasure of the others may have missed. */
import { eraseAuthor } from '@murmuration/contracts/statuses'
import type { Context } from '../context.js'
import { goneAmong } from '../core/author/store.js'

/** Has it erased, too; to be called once it is committed. */
export const eraseIfGone = async (
  ctx: Pick<Context, 'db' | 'queues' | 'ids'>,
  authors: readonly string[],
): Promise<void> => {
  const gone = await goneAmong(ctx.db, authors)
  await Promise.all(
    gone.map((author) => ctx.queues.push(eraseAuthor, { id: `${author} ${ctx.ids.next()}`, data: { author } })),
  )
}
