/** Announces new statuses by an event, and queues their jobs. Defines a new status with all its parts. */
import { assignConversation, fanOut, statusCreated, type UnreachedMention } from '@murmuration/contracts/statuses'
import type { Tx } from '@murmuration/db'
import { chunk } from '@murmuration/flow'
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
  /** Mentioned accounts of a remote status that could not be found and are looked up again later. */
  unreached?: readonly UnreachedMention[]
  poll?: NewPoll
  /** `held` is set if the status is held: its final visibility, and whether it needs its own approval. */
  held?: { visibility: number; needsApproval: boolean }
  /** Quote of the status. */
  quote?: Quoting
  /** For a boost, whether the original is local. */
  reblogOfLocal?: boolean
  /** False for a status published over six hours before it was stored: it enters no feeds and causes no notifications. */
  push: boolean
}

/** Whether a status counts as a reply of its parent: public and unlisted statuses only (A046). */
export const countsAsReply = (row: Pick<NewStatus, 'visibility'>): boolean => row.visibility <= 1

/** Payload of the event for a new status. */
const createdEventOf = ({ row, mentions, tags, ...full }: FullStatus) => ({
  id: row.id,
  author: row.author_id,
  local: row.local,
  visibility: visibilityOf(row.visibility),
  reblogOf: row.reblog_of_id ?? null,
  reblogOfAuthor: row.reblog_of_author_id ?? null,
  reblogOfLocal: full.reblogOfLocal ?? false,
  uri: row.uri,
  inReplyTo: row.in_reply_to_id ?? null,
  inReplyToAuthor: row.in_reply_to_author_id ?? null,
  conversation: row.conversation_id,
  mentions: mentions.filter((one) => !one.silent).map((one) => one.id),
  language: row.language ?? null,
  tags: tags.map((tag) => tag.name),
  hasMedia: (row.media_ids ?? []).length > 0,
  quotedAuthor: full.quote?.quoted?.author_id ?? null,
  push: full.push,
})

/** Maximum number of statuses in one fan-out job, so that many new statuses are spread over processes. */
const MAX_OF_JOB = 25

const fanOutsOf = (ids: readonly string[]) =>
  chunk(ids, MAX_OF_JOB).map(([status = '', ...more]) => ({ status, ...(more.length > 0 && { more }) }))

/** Queues the fan-out of replies whose parent is known only now. Before the parent was known, no feed received these replies. */
export const fanOutLate = (ctx: Context, tx: Tx, ids: readonly string[]): Promise<void> =>
  ctx.queue(tx, fanOut, ...fanOutsOf(ids).map((data) => ({ ...data, late: true })))

/**
 * Announces new statuses and queues their fan-out, except with `push` false. For direct statuses, also queues the job
 * that assigns them to conversations.
 */
export const announceNew = async (ctx: Context, tx: Tx, fullStatuses: readonly FullStatus[]): Promise<void> => {
  await ctx.announce(tx, statusCreated, ...fullStatuses.map(createdEventOf))
  const pushed = fullStatuses.filter((full) => full.push)
  const direct = pushed.filter(({ row }) => visibilityOf(row.visibility) === 'direct')
  await ctx.queue(tx, fanOut, ...fanOutsOf(pushed.map(({ row }) => row.id)))
  await ctx.queue(tx, assignConversation, ...direct.map(({ row }) => ({ status: row.id })))
}
