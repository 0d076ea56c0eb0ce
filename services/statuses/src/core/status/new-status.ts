/** A new status as a whole, and what everybody is told of it. */
import { fanOut, fileConversation, statusCreated, type UnreachedMention } from '@murmuration/contracts/statuses'
import type { Tx } from '@murmuration/db'
import type { Context } from '../../context.js'
import type { NewPoll } from '../poll/store.js'
import type { Quoting } from '../quote/quote.js'
import type { TagName } from '../tag/store.js'
import { visibilityOf } from '../visibility/rules.js'
import type { Mention } from './mention.store.js'
import type { NewStatus } from './store.js'

export interface FullStatus {
  row: NewStatus
  mentions: readonly Mention[]
  tags: readonly TagName[]
  /** Other accounts that a remote status mentions, which are looked up again. */
  unreached?: readonly UnreachedMention[]
  poll?: NewPoll
  /** It waits for approval: for whom it is then, and whether it needs one of its own. */
  held?: { visibility: number; asks: boolean }
  /** Quote of a local status. */
  quote?: Quoting
  /** Of a boost: whether the original is local. */
  reblogOfLocal?: boolean
  /** False for what was fetched rather than delivered: stored and shown, but no feeds and no notifications. */
  push: boolean
}

/** Counted as a reply of its parent: only what everybody can see (A046). */
export const countsAsReply = (row: Pick<NewStatus, 'visibility'>): boolean => row.visibility <= 1

/** Payload of the event for a new status. */
const newsOf = ({ row, mentions, tags, ...whole }: FullStatus) => ({
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

/** Statuses of one job, so that other processes have their share of a flood. */
const MOST_OF_JOB = 25

const fanOutsOf = (ids: readonly string[]) =>
  Array.from({ length: Math.ceil(ids.length / MOST_OF_JOB) }, (_, i) => {
    const [status = '', ...more] = ids.slice(i * MOST_OF_JOB, (i + 1) * MOST_OF_JOB)
    return { status, ...(more.length > 0 && { more }) }
  })

/** Announces new statuses, and sends their fan-out on its way. */
export const announceNew = async (ctx: Context, tx: Tx, wholes: readonly FullStatus[]): Promise<void> => {
  await ctx.announce(tx, statusCreated, ...wholes.map(newsOf))
  const pushed = wholes.filter((whole) => whole.push)
  const direct = pushed.filter(({ row }) => visibilityOf(row.visibility) === 'direct')
  await ctx.queue(tx, fanOut, ...fanOutsOf(pushed.map(({ row }) => row.id)))
  await ctx.queue(tx, fileConversation, ...direct.map(({ row }) => ({ status: row.id })))
}
