/** Stores a status and everything that belongs to it, in the caller's transaction. */
import type { Tx } from '@murmuration/db'
import { holdReply } from '../approval/index.js'
import type { Context } from '../context.js'
import { insertPoll } from '../core/poll/store.js'
import { storeQuote } from '../core/quote/quote.js'
import { parentMissing } from '../core/reply/rules.js'
import { linkReply } from '../core/reply/thread.store.js'
import { addTo } from '../core/status/count.store.js'
import { insertMentions } from '../core/status/mention.store.js'
import { announceNew, countsAsReply, type FullStatus } from '../core/status/new-status.js'
import { insertStatus, lockIfNotDeleted } from '../core/status/store.js'
import { countFeatured } from '../core/tag/featured.store.js'
import { insertTags } from '../core/tag/store.js'
import { storeUnreached } from '../mention/index.js'
import { queuePreview } from '../preview-card/index.js'

/**
 * Stores a status with its poll, mentions, tags and quote, updates counters, and announces the status, or holds a reply
 * that needs approval.
 */
export const storeStatus = async (ctx: Context, tx: Tx, full: FullStatus): Promise<void> => {
  const { row, mentions, tags } = full
  if (row.in_reply_to_id && !(await lockIfNotDeleted(tx, row.in_reply_to_id))) throw parentMissing()
  insertStatus(tx, { ...row, tags: tags.map((tag) => tag.name) })
  if (full.poll) await insertPoll(tx, full.poll)
  insertMentions(tx, row.id, mentions)
  await storeUnreached(ctx, tx, [full])
  await insertTags(tx, row.id, tags, () => ctx.ids.next())
  if (row.visibility <= 1)
    await countFeatured(
      tx,
      row.author_id,
      tags.map((tag) => tag.name),
      row.created_at,
    )
  if (row.in_reply_to_id) {
    await linkReply(tx, row.in_reply_to_id, row.id)
    if (countsAsReply(row)) await addTo(tx, 'replies', row.in_reply_to_id, 1)
  }
  if (full.held) await holdReply(ctx, tx, { ...full, held: full.held })
  else await announceNew(ctx, tx, [full])
  if (full.quote) await storeQuote(ctx, tx, { ...row, push: full.push }, full.quote)
  if (!row.media_ids?.length && !row.has_quote) await queuePreview(ctx, tx, { ...row, html: row.html ?? '' })
}
