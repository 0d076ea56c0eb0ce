/**
 * Stores remote statuses. Each is stored once, edited only by a newer edit, and refused if its author deleted it
 * before.
 */
import { type AccountRecord, accountRecords } from '@murmuration/contracts/accounts'
import { limits } from '@murmuration/contracts/limits'
import { type RemoteStatus, statusInvalidation } from '@murmuration/contracts/statuses'
import { isDuplicate, type Tx } from '@murmuration/db'
import { storeClaim, type Waiting, withHold } from '../approval/index.js'
import { storeStatus } from '../compose/index.js'
import type { Context } from '../context.js'
import { localStatusId } from '../core/address/rules.js'
import { insertMissingAuthors } from '../core/author/store.js'
import type { Quoting } from '../core/quote/quote.js'
import { QUOTE_DEPTH } from '../core/quote/rules.js'
import { putReplyPolicy } from '../core/reply/policy.store.js'
import { replyTo } from '../core/reply/rules.js'
import { conversationOf } from '../core/reply/thread.store.js'
import { putRemoteCounts } from '../core/status/count.store.js'
import { releaseMedia } from '../core/status/media.js'
import { isOfOrigin, publishedAt, storableCount } from '../core/status/remote.rules.js'
import { addUrl, idsByUri, isIdTaken, rowsOf } from '../core/status/store.js'
import { hasTombstone } from '../core/status/tombstone.store.js'
import { quotingOf, storeRemoteQuote } from '../quote/index.js'
import { editRemote } from './edit.js'
import { fullStatusOf } from './full-status.js'
import { eraseIfDeleted } from './gone-author.js'
import {
  asParent,
  linkWaitingReplies,
  ownConversation,
  pageOf,
  parentOf,
  parentStateOf,
  queueParentFetch,
} from './parent.js'
import { emojisOf, mediaOf, remotePollOf } from './parts.js'
import { lockUris } from './store.js'

export interface Stored {
  id: string
  outcome: 'created' | 'edited' | 'refreshed' | 'unchanged' | 'refused'
  /** True if the received version has other content and the edit time of the stored version, which stays. */
  tied?: boolean
}

export const REFUSED: Stored = { id: '0', outcome: 'refused' }

const countsFrom = (status: RemoteStatus) => ({
  favourites: storableCount(status.favourites_count),
  reblogs: storableCount(status.reblogs_count),
})

const insert = async (
  ctx: Context,
  status: RemoteStatus,
  author: AccountRecord,
  depth: number,
  quotes: number,
  again = false,
): Promise<Stored> => {
  const now = ctx.clock.now()
  const createdAt = publishedAt(status.published, now)
  const id = ctx.ids.at(createdAt.getTime())
  const [{ parent, waiting, awaits }, own, emojis, media_ids, quoting] = await Promise.all([
    parentStateOf(ctx, status, author),
    ownConversation(ctx, author, status.conversation),
    emojisOf(ctx, status, author),
    mediaOf(ctx, status, author, id),
    quotingOf(ctx, status, author),
  ])
  const reply = parent && replyTo(asParent(parent), author.id)
  const poll = remotePollOf(ctx.ids.next(), status, { status: id, author: author.id })
  const store = (tx: Tx) =>
    storeNew(ctx, tx, status, author, id, {
      createdAt,
      reply,
      waiting,
      awaits,
      own,
      emojis,
      media_ids,
      poll,
      now,
      depth,
      quoting,
      quotes,
      again,
    })
  try {
    const adopted = await ctx.db.tx(store)
    if (!Array.isArray(adopted)) await releaseMedia(ctx, id, media_ids)
    // The parent was stored meanwhile, so the reply is stored once more: the second attempt finds the parent, or finds
    // that the reply may not name it.
    if (adopted === 'parent-came') return insert(ctx, status, author, depth, quotes, true)
    if (adopted === null) return REFUSED
    await eraseIfDeleted(ctx, [author.id])
    ctx.invalidations.send(statusInvalidation, adopted)
    return { id, outcome: 'created' }
  } catch (error) {
    await releaseMedia(ctx, id, media_ids)
    throw error
  }
}

/**
 * Stores a status and links waiting replies, whose ids it returns. Returns null if the status has a tombstone, and
 * `parent-came` if its parent was stored meanwhile.
 */
const storeNew = async (
  ctx: Context,
  tx: Tx,
  status: RemoteStatus,
  author: AccountRecord,
  id: string,
  parts: Omit<Parameters<typeof fullStatusOf>[3], 'conversation'> & {
    depth: number
    waiting: Waiting | null
    /** Uri of a parent that may be received later. */
    awaits: string | null
    /** Id of the local conversation that the received document names; null if none. */
    own: string | null
    quoting: Quoting | null
    quotes: number
    again: boolean
  },
): Promise<string[] | 'parent-came' | null> => {
  // Locks serialise the transactions of a reply and of its parent, so that the later one finds the other status.
  const { awaits } = parts
  // The statements are sent as one pipeline; PostgreSQL runs the lookups after the locks.
  const [, deleted, came] = await Promise.all([
    lockUris(tx, [status.uri, pageOf(status), awaits].filter((one) => one !== null).sort()),
    hasTombstone(tx, author.id, status.uri),
    parentOf(ctx, tx, awaits),
  ])
  if (deleted) return null
  if (came && !parts.again) return 'parent-came'
  const conversation =
    parts.reply?.conversation_id ??
    parts.own ??
    (status.conversation === null ? id : await conversationOf(tx, status.conversation, id))
  const full = await withHold(tx, fullStatusOf(status, author, id, { ...parts, conversation }), parts.waiting)
  const waits = full.held !== undefined
  await storeStatus(ctx, tx, full)
  if (status.reply_policy) await putReplyPolicy(tx, id, status.reply_policy)
  if (status.in_reply_to !== null) await storeClaim(ctx, tx, status, full)
  await putRemoteCounts(tx, id, countsFrom(status))
  const push = full.push && !waits
  if (parts.quoting) await storeRemoteQuote(ctx, tx, { ...full.row, push }, parts.quoting, parts.quotes)
  const url = pageOf(status)
  if (url !== null) await addUrl(tx, url, id)
  if (awaits !== null) await queueParentFetch(ctx, tx, { uri: awaits, depth: parts.depth }, id)
  const in_reply_to_account_id = parts.reply?.in_reply_to_account_id ?? null
  const own = { id, author_id: author.id, in_reply_to_account_id, conversation_id: conversation }
  const holds = { approvesReplies: Boolean(status.reply_policy), held: waits }
  const adopted = await linkWaitingReplies(ctx, tx, status.uri, own, holds)
  const page = pageOf(status)
  return page === null ? adopted : [...adopted, ...(await linkWaitingReplies(ctx, tx, page, own, holds))]
}

/** Whether the author is remote and the uri has the author's origin. */
const isTheirs = (ctx: Pick<Context, 'site'>, author: AccountRecord, uri: string): boolean =>
  author.domain !== null && isOfOrigin(uri, author.uri) && localStatusId(ctx.site.origin, uri) === null

/**
 * Whether the author is remote and not suspended, and the uri has the author's origin. Suspended authors add no new
 * statuses.
 */
export const isStorable = (ctx: Pick<Context, 'site'>, author: AccountRecord, uri: string): boolean =>
  !author.suspended && isTheirs(ctx, author, uri)

/**
 * Stores or edits a remote status. Repeatable.
 * @param depth number of unknown parents that may be fetched
 * @param quotes number of nested quoted statuses that may be fetched
 */
export const putRemoteStatus = async (
  ctx: Context,
  status: RemoteStatus,
  depth: number = limits.threads.signedOut.depth,
  quotes: number = QUOTE_DEPTH,
): Promise<Stored> => {
  const [{ records }, known] = await Promise.all([
    ctx.call(accountRecords, { ids: [status.author] }),
    idsByUri(ctx.db, [status.uri]),
  ])
  const author = records[0]
  if (!author || !isTheirs(ctx, author, status.uri)) return REFUSED
  const there = async (id: string): Promise<Stored> => {
    const row = (await rowsOf(ctx.db, [id])).get(id)
    if (!row || row.deleted_at !== null || row.author_id !== author.id || row.reblog_of_id !== null) return REFUSED
    await putRemoteCounts(ctx.db, id, countsFrom(status))
    const { outcome, tied = false } = await editRemote(ctx, status, row, author)
    return { id, outcome, ...(tied && { tied }) }
  }
  const id = known.get(status.uri)
  // A stored status may also be edited while its author is suspended. The edited status stays hidden.
  if (id !== undefined) return there(id)
  if (author.suspended) return REFUSED
  await insertMissingAuthors(ctx.db, [author])
  const store = () => insert(ctx, status, author, depth, quotes)
  try {
    return await store().catch((error) => {
      if (isIdTaken(error)) return store()
      throw error
    })
  } catch (error) {
    if (!isDuplicate(error)) throw error
    // A duplicate error means that a concurrent delivery stored the same status.
    const other = (await idsByUri(ctx.db, [status.uri])).get(status.uri)
    if (other === undefined) throw error
    return there(other)
  }
}
