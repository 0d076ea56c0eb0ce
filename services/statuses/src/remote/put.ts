/**
 * Stores remote statuses. Each is stored once, edited only by a newer edit, and refused if its author deleted it
 * before.
 */
import { createHash } from 'node:crypto'
import { type AccountRecord, accountRecords } from '@murmuration/contracts/accounts'
import { limits } from '@murmuration/contracts/limits'
import { fetchParent, type RemoteStatus, statusHint } from '@murmuration/contracts/statuses'
import { isDuplicate, type Reader, type Tx } from '@murmuration/db'
import { heldBack, holdAdopted, storeClaim, type Waiting, waitingFor } from '../approval/index.js'
import { storeStatus } from '../compose/index.js'
import type { Context } from '../context.js'
import { idByAddress } from '../core/address/find.js'
import { localContextId, localStatusId } from '../core/address/rules.js'
import { learnAuthors } from '../core/author/store.js'
import type { Quoting } from '../core/quote/quote.js'
import { policyBits, QUOTE_DEPTH } from '../core/quote/rules.js'
import { adoptApprovals } from '../core/reply/approval.store.js'
import { putReplyPolicy } from '../core/reply/policy.store.js'
import { isListed, type ReplyFacts, replyTo } from '../core/reply/rules.js'
import { adopt, awaitParent, conversationOf, takeAwaiting } from '../core/reply/thread.store.js'
import { addTo, putRemoteCounts } from '../core/status/count.store.js'
import { releaseMedia } from '../core/status/media.js'
import type { FullStatus } from '../core/status/new-status.js'
import { editedAtOrNull, isOfOrigin, isRecent, publishedAt, storableCount } from '../core/status/remote.rules.js'
import { addUrl, idsByUri, isIdTaken, openAmong, rowOf, rowsOf, type StatusRow } from '../core/status/store.js'
import { hasTombstone } from '../core/status/tombstone.store.js'
import { isHiddenFrom } from '../core/visibility/named-status.js'
import { levelOf } from '../core/visibility/rules.js'
import { quotingOf, storeRemoteQuote } from '../quote/index.js'
import { editRemote } from './edit.js'
import { eraseIfGone } from './gone-author.js'
import { emojisOf, mediaOf, pollOf, tagsOf } from './parts.js'
import { lockUris } from './store.js'

export interface Stored {
  id: string
  outcome: 'created' | 'edited' | 'refreshed' | 'unchanged' | 'refused'
}

/** Maximum number of mentions of a remote status. Many more are an attack. */
const MOST_MENTIONS = 500
export const REFUSED: Stored = { id: '0', outcome: 'refused' }

/**
 * Local conversation that a document names by its address; null if it started with a status that is hidden from the
 * author.
 */
const ownConversation = async (ctx: Context, author: AccountRecord, uri: string | null): Promise<string | null> => {
  const root = uri === null ? null : localContextId(ctx.site.origin, uri)
  const row = root === null ? null : await rowOf(ctx.db, root)
  return row?.local && !(await isHiddenFrom(ctx, author.id, row)) ? row.conversation_id : null
}

const statusAt = async (ctx: Context, db: Reader, uri: string | null): Promise<StatusRow | null> => {
  const id = uri === null ? null : await idByAddress(ctx, db, uri)
  return id ? rowOf(db, id) : null
}

/** The status with this uri; of a boost, the original. Null if unknown or deleted. */
const parentOf = async (ctx: Context, db: Reader, uri: string | null): Promise<StatusRow | null> => {
  const row = await statusAt(ctx, db, uri)
  return row?.reblog_of_id ? rowOf(db, row.reblog_of_id) : row
}

/**
 * Page of a status on its own server if it differs from its id, because replies may name the status by it; otherwise
 * null.
 */
export const pageOf = ({ url, uri }: Pick<RemoteStatus, 'url' | 'uri'>): string | null =>
  url !== null && url !== uri && isOfOrigin(url, uri) ? url : null

/**
 * Parent of a new status, whether the reply must be held, and the uri of a parent that may be received later. A local
 * parent cannot be received later, so a reply to a hidden or missing local status never gets a parent.
 */
const aboveOf = async (ctx: Context, status: RemoteStatus, author: AccountRecord) => {
  const uri = status.in_reply_to
  const named = await statusAt(ctx, ctx.db, uri)
  const parent = named?.reblog_of_id ? await rowOf(ctx.db, named.reblog_of_id) : named
  const isHidden = named !== null && (await isHiddenFrom(ctx, author.id, named))
  if (isHidden || parent === null) {
    const isOwn = isHidden || (uri !== null && localStatusId(ctx.site.origin, uri) !== null)
    return { parent: null, waiting: null, awaits: isOwn ? null : uri }
  }
  return { parent, waiting: await waitingFor(ctx, author, parent, levelOf(status.visibility)), awaits: null }
}

/**
 * Links replies that were received before this status. Returns their ids.
 * @param holds `asks`: the author approves replies; `held`: the status itself is held
 */
export const adoptWaiting = async (
  ctx: Context,
  tx: Tx,
  uri: string,
  parent: { id: string; author_id: string; conversation_id: string },
  holds: { asks: boolean; held: boolean },
): Promise<string[]> => {
  const waiting = await takeAwaiting(tx, uri)
  await adopt(tx, parent, waiting)
  await adoptApprovals(tx, parent.id, waiting)
  await holdAdopted(ctx, tx, waiting, { author: parent.author_id, ...holds })
  const counted = await openAmong(tx, waiting)
  if (counted > 0) await addTo(tx, 'replies', parent.id, counted)
  return waiting
}

export const wholeOf = (
  status: RemoteStatus,
  author: AccountRecord,
  id: string,
  parts: { createdAt: Date; reply: ReplyFacts | null; conversation: string; now: number } & Pick<
    FullStatus['row'],
    'emojis' | 'media_ids'
  > & { poll: FullStatus['poll'] },
): FullStatus => {
  const isReply = status.in_reply_to !== null
  return {
    // An old status is stored and shown, but enters no feeds and causes no notifications.
    push: status.push && isRecent(parts.createdAt, parts.now),
    mentions: status.mentions.slice(0, MOST_MENTIONS),
    tags: tagsOf(status),
    ...(status.unreached && { unreached: status.unreached }),
    ...(parts.poll ? { poll: parts.poll } : {}),
    row: {
      id,
      author_id: author.id,
      local: false,
      visibility: levelOf(status.visibility),
      uri: status.uri,
      url: status.url,
      ...parts.reply,
      in_reply_to_uri: isReply && !parts.reply ? status.in_reply_to : null,
      conversation_id: parts.conversation,
      html: status.html,
      spoiler_text: status.spoiler_text,
      sensitive: status.sensitive || status.spoiler_text !== '',
      language: status.language,
      media_ids: parts.media_ids ?? [],
      emojis: parts.emojis ?? [],
      poll_id: parts.poll?.id ?? null,
      quote_policy: policyBits(status.quote_policy),
      has_quote: status.quote !== null,
      listed: isListed({
        visibility: status.visibility,
        authorId: author.id,
        isReblog: false,
        isReply,
        inReplyToAccountId: parts.reply?.in_reply_to_account_id ?? null,
      }),
      created_at: parts.createdAt,
      edited_at: editedAtOrNull(status.edited_at, parts.now),
    },
  }
}

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
    aboveOf(ctx, status, author),
    ownConversation(ctx, author, status.conversation),
    emojisOf(ctx, status, author),
    mediaOf(ctx, status, author, id),
    quotingOf(ctx, status, author),
  ])
  const reply = parent && replyTo(asParent(parent), author.id)
  const poll = pollOf(ctx.ids.next(), status, { status: id, author: author.id })
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
    // Tried only once more: then the parent is found, or cannot be replied to.
    if (adopted === 'parent-came') return insert(ctx, status, author, depth, quotes, true)
    if (adopted === null) return REFUSED
    await eraseIfGone(ctx, [author.id])
    ctx.hints.send(statusHint, adopted)
    return { id, outcome: 'created' }
  } catch (error) {
    await releaseMedia(ctx, id, media_ids)
    throw error
  }
}

const asParent = (row: StatusRow) => ({
  id: row.id,
  authorId: row.author_id,
  inReplyToAccountId: row.in_reply_to_account_id,
  conversationId: row.conversation_id,
})

/**
 * Queues fetching an unknown parent. The first waiting reply always queues it, later ones at most once in ten minutes.
 * So many replies to an unreachable server cause few requests, and the parent is found after the server is back.
 */
const seekParent = async (
  ctx: Context,
  tx: Tx,
  parent: { uri: string; depth: number },
  child: string,
): Promise<void> => {
  const isFirst = await awaitParent(tx, parent.uri, child)
  if (parent.depth <= 0) return
  if (isFirst) return ctx.queue(tx, fetchParent, parent)
  // A digest, because addresses may be too long for a job id.
  const id = createHash('sha256').update(parent.uri).digest('base64url')
  tx.onCommit(() => {
    ctx.queues
      .push(fetchParent, { id, data: parent })
      .catch((error: unknown) => ctx.log.warn({ error }, 'a missing parent was not queued for fetching'))
  })
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
  parts: Omit<Parameters<typeof wholeOf>[3], 'conversation'> & {
    depth: number
    waiting: Waiting | null
    /** Uri of a parent that may be received later. */
    awaits: string | null
    /** Local conversation that the document names. */
    own: string | null
    quoting: Quoting | null
    quotes: number
    again: boolean
  },
): Promise<string[] | 'parent-came' | null> => {
  // Locks serialise a reply and its parent, so that one of them finds the other.
  const { awaits } = parts
  // Sent as one pipeline; PostgreSQL runs the lookups after the locks.
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
  const whole = await heldBack(tx, wholeOf(status, author, id, { ...parts, conversation }), parts.waiting)
  const waits = whole.held !== undefined
  await storeStatus(ctx, tx, whole)
  if (status.reply_policy) await putReplyPolicy(tx, id, status.reply_policy)
  if (status.in_reply_to !== null) await storeClaim(ctx, tx, status, whole)
  await putRemoteCounts(tx, id, countsFrom(status))
  const push = whole.push && !waits
  if (parts.quoting) await storeRemoteQuote(ctx, tx, { ...whole.row, push }, parts.quoting, parts.quotes)
  const url = pageOf(status)
  if (url !== null) await addUrl(tx, url, id)
  if (awaits !== null) await seekParent(ctx, tx, { uri: awaits, depth: parts.depth }, id)
  const own = { id, author_id: author.id, conversation_id: conversation }
  const holds = { asks: Boolean(status.reply_policy), held: waits }
  const adopted = await adoptWaiting(ctx, tx, status.uri, own, holds)
  const page = pageOf(status)
  return page === null ? adopted : [...adopted, ...(await adoptWaiting(ctx, tx, page, own, holds))]
}

/** Whether the author is remote and the uri has the author's origin. */
const isTheirs = (ctx: Pick<Context, 'site'>, author: AccountRecord, uri: string): boolean =>
  author.domain !== null && isOfOrigin(uri, author.uri) && localStatusId(ctx.site.origin, uri) === null

/** The same, and the author is not suspended. Suspended authors add no new statuses. */
export const mayBring = (ctx: Pick<Context, 'site'>, author: AccountRecord, uri: string): boolean =>
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
    return { id, outcome: await editRemote(ctx, status, row, author) }
  }
  const id = known.get(status.uri)
  // A stored status may also be edited while its author is suspended. It stays hidden.
  if (id !== undefined) return there(id)
  if (author.suspended) return REFUSED
  await learnAuthors(ctx.db, [author])
  const store = () => insert(ctx, status, author, depth, quotes)
  try {
    return await store().catch((error) => {
      if (isIdTaken(error)) return store()
      throw error
    })
  } catch (error) {
    if (!isDuplicate(error)) throw error
    // A concurrent delivery stored the same status.
    const other = (await idsByUri(ctx.db, [status.uri])).get(status.uri)
    if (other === undefined) throw error
    return there(other)
  }
}
