/** Storing a status with everything that belongs to it, in the caller’s transaction. */
import { fanOut, fileConversation, statusCreated, type UnreachedMention } from '@murmuration/contracts/statuses'
import type { Tx } from '@murmuration/db'
import type { Context } from '../context.js'
import { parentMissing } from '../domain/reply.js'
import { visibilityOf } from '../domain/visibility.js'
import { addTo } from '../store/count.js'
import { countFeatured } from '../store/featured-tag.js'
import { insertMentions, type Mention } from '../store/mention.js'
import { insertPoll, type NewPoll } from '../store/poll.js'
import { holdAlive, insertStatus, type NewStatus } from '../store/status.js'
import { insertTags, type TagName } from '../store/tag.js'
import { linkReply } from '../store/thread.js'
import { holdBack } from './held-reply.js'
import { queuePreview } from './preview.js'
import { type Quoting, storeQuote } from './quote.js'
import { seekUnreached } from './unreached-mention.js'

export interface Whole {
  row: NewStatus
  mentions: readonly Mention[]
  tags: readonly TagName[]
  /** Whom a remote one mentions as well, and who are looked for again. */
  unreached?: readonly UnreachedMention[]
  poll?: NewPoll
  /** It waits for approval: for whom it is then, and whether the author of what it answers is asked. */
  held?: { visibility: number; asks: boolean }
  /** What a local status quotes. */
  quote?: Quoting
  /** Of a boost: whether the original is local. */
  reblogOfLocal?: boolean
  /** False for what was fetched rather than delivered: stored and shown, but no feeds and no notifications. */
  push: boolean
}

/** Counted as a reply of its parent: only what everybody can see (A046). */
export const countsAsReply = (row: Pick<NewStatus, 'visibility'>): boolean => row.visibility <= 1

/** What everybody is told of a new status. */
const newsOf = ({ row, mentions, tags, ...whole }: Whole) => ({
  id: row.id,
  author: row.author_id,
  local: row.local,
  visibility: visibilityOf(row.visibility),
  reblogOf: row.reblog_of_id ?? null,
  reblogOfAuthor: row.reblog_of_author_id ?? null,
  reblogOfLocal: whole.reblogOfLocal ?? false,
  uri: row.uri,
  inReplyTo: row.in_reply_to_id ?? null,
  inReplyToAuthor: row.in_reply_to_author_id ?? null,
  conversation: row.conversation_id,
  mentions: mentions.filter((one) => !one.silent).map((one) => one.id),
  language: row.language ?? null,
  tags: tags.map((tag) => tag.name),
  hasMedia: (row.media_ids ?? []).length > 0,
  quotedAuthor: whole.quote?.quoted?.author_id ?? null,
  push: whole.push,
})

/** Announces new statuses, and sends their fan-out on its way. */
export const tellOfNew = async (ctx: Context, tx: Tx, wholes: readonly Whole[]): Promise<void> => {
  await ctx.announce(tx, statusCreated, ...wholes.map(newsOf))
  const pushed = wholes.filter((whole) => whole.push)
  const direct = pushed.filter(({ row }) => visibilityOf(row.visibility) === 'direct')
  await ctx.queue(tx, fanOut, ...pushed.map(({ row }) => ({ status: row.id })))
  await ctx.queue(tx, fileConversation, ...direct.map(({ row }) => ({ status: row.id })))
}

/** Stores, counts, announces, and sends the fan-out on its way. */
export const storeStatus = async (ctx: Context, tx: Tx, whole: Whole): Promise<void> => {
  const { row, mentions, tags } = whole
  if (row.in_reply_to_id && !(await holdAlive(tx, row.in_reply_to_id))) throw parentMissing()
  insertStatus(tx, { ...row, tags: tags.map((tag) => tag.name) })
  if (whole.poll) await insertPoll(tx, whole.poll)
  insertMentions(tx, row.id, mentions)
  await seekUnreached(ctx, tx, [whole])
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
  if (whole.held) await holdBack(ctx, tx, { row, held: whole.held })
  else await tellOfNew(ctx, tx, [whole])
  if (whole.quote) await storeQuote(ctx, tx, { ...row, push: whole.push }, whole.quote)
  if (!row.media_ids?.length && !row.has_quote) await queuePreview(ctx, tx, { ...row, html: row.html ?? '' })
}
