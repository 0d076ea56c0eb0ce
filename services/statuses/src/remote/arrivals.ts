/**
 * Stores remote statuses that were received together. Statuses without a parent and quote share a transaction; the
 * others are stored one by one.
 */
import { type AccountRecord, accountRecords } from '@murmuration/contracts/accounts'
import { type RemoteStatus, statusInvalidation } from '@murmuration/contracts/statuses'
import type { Tx } from '@murmuration/db'
import type { Context } from '../context.js'
import { insertMissingAuthors } from '../core/author/store.js'
import { releaseMedia } from '../core/status/media.js'
import { announceNew, type FullStatus } from '../core/status/new-status.js'
import { publishedAt } from '../core/status/remote.rules.js'
import { idsByUri } from '../core/status/store.js'
import { storeUnreached } from '../mention/index.js'
import { previewDueAt } from '../preview-card/index.js'
import { fullStatusOf } from './full-status.js'
import { eraseIfDeleted } from './gone-author.js'
import { linkWaitingReplies, pageOf } from './parent.js'
import { emojisOf, mediaOf } from './parts.js'
import { isStorable, putRemoteStatus, REFUSED, type Stored } from './put.js'
import {
  addUrls,
  awaitedAmong,
  awaitPreviews,
  conversationsOf,
  insertArrivals,
  insertMentionsOf,
  insertTagsOf,
  lockUris,
  tombstonesAmong,
} from './store.js'

interface Arrival {
  status: RemoteStatus
  author: AccountRecord
  id: string
  createdAt: Date
}
type Parts = Arrival & Pick<FullStatus['row'], 'emojis' | 'media_ids'>

/** Whether a status can be stored with others: no parent, quote, poll, reply policy or counts. */
const isPlain = ({ in_reply_to, quote, poll, reply_policy, favourites_count, reblogs_count }: RemoteStatus): boolean =>
  in_reply_to === null && quote === null && poll === null && !reply_policy && !favourites_count && !reblogs_count

/**
 * Statuses that can be stored together, by uri: plain, unknown, and by an author who may post them. Their order is that of
 * the batch, and the ids of statuses of one second have the same order.
 */
const arrivalsAmong = async (ctx: Context, statuses: readonly RemoteStatus[]): Promise<Map<string, Arrival>> => {
  const plain = new Map<string, RemoteStatus>()
  // If a batch contains several versions of one status, the first is used.
  for (const status of statuses.filter(isPlain)) if (!plain.has(status.uri)) plain.set(status.uri, status)
  if (plain.size === 0) return new Map()
  const [{ records }, known] = await Promise.all([
    ctx.call(accountRecords, { ids: [...new Set([...plain.values()].map((status) => status.author))] }),
    idsByUri(ctx.db, [...plain.keys()]),
  ])
  const authors = new Map(records.map((record) => [record.id, record]))
  const now = ctx.clock.now()
  return new Map(
    [...plain].flatMap(([uri, status]): [string, Arrival][] => {
      const author = authors.get(status.author)
      if (known.has(uri) || !author || !isStorable(ctx, author, uri)) return []
      const createdAt = publishedAt(status.published, now)
      return [[uri, { status, author, createdAt, id: ctx.ids.at(createdAt.getTime()) }]]
    }),
  )
}

const insertAll = async (ctx: Context, tx: Tx, fullStatuses: readonly FullStatus[]): Promise<void> => {
  if (fullStatuses.length === 0) return
  const rows = fullStatuses.map(({ row, tags }) => ({ ...row, tags: tags.map((tag) => tag.name) }))
  // The statements are sent as one pipeline, and PostgreSQL runs them in this order.
  await Promise.all([
    insertArrivals(tx, rows),
    insertMentionsOf(
      tx,
      fullStatuses.map(({ row, mentions }) => ({ status: row.id, mentions })),
    ),
    insertTagsOf(
      tx,
      fullStatuses.map(({ row, tags }) => ({
        status: row.id,
        author: row.author_id,
        open: row.visibility <= 1,
        at: row.created_at,
        tags,
      })),
      () => ctx.ids.next(),
    ),
    storeUnreached(ctx, tx, fullStatuses),
    addUrls(
      tx,
      rows.flatMap(({ id, url, uri }) => {
        const page = pageOf({ url: url ?? null, uri })
        return page === null ? [] : [{ url: page, id }]
      }),
    ),
    awaitPreviews(
      tx,
      rows
        .filter((row) => !row.media_ids?.length && row.html?.includes('<a '))
        .map((row) => ({ status: row.id, due: previewDueAt(ctx) })),
    ),
    announceNew(ctx, tx, fullStatuses),
  ])
}

/**
 * Stores the statuses and links waiting replies. Returns the uris with a tombstone, which were not stored, and the
 * linked replies.
 */
const storeAll = async (ctx: Context, tx: Tx, all: readonly Parts[]) => {
  const uris = all.flatMap(({ status }) => [status.uri, pageOf(status) ?? []].flat())
  const [, deleted] = await Promise.all([
    lockUris(tx, uris),
    tombstonesAmong(
      tx,
      all.map(({ status, author }) => ({ uri: status.uri, author: author.id })),
    ),
  ])
  const left = all.filter((one) => !deleted.has(one.status.uri))
  const conversations = await conversationsOf(
    tx,
    left.flatMap(({ id, status }) => (status.conversation === null ? [] : [{ uri: status.conversation, freshId: id }])),
  )
  const now = ctx.clock.now()
  const fullStatuses = left.map((one) => {
    const conversation = conversations.get(one.status.conversation ?? '') ?? one.id
    return fullStatusOf(one.status, one.author, one.id, { ...one, reply: null, poll: undefined, conversation, now })
  })
  const [, awaited] = await Promise.all([insertAll(ctx, tx, fullStatuses), awaitedAmong(tx, uris)])
  const open = { approvesReplies: false, held: false }
  const names = fullStatuses.flatMap(({ row }) =>
    [row.uri, pageOf({ url: row.url ?? null, uri: row.uri })].flatMap((name) =>
      name !== null && awaited.includes(name) ? [{ row, name }] : [],
    ),
  )
  const adopted = await Promise.all(names.map(({ row, name }) => linkWaitingReplies(ctx, tx, name, row, open)))
  return { deleted, adopted: adopted.flat() }
}

const storeTogether = async (ctx: Context, arrivals: readonly Arrival[]): Promise<Map<string, Stored>> => {
  if (arrivals.length === 0) return new Map()
  const all = await Promise.all(
    arrivals.map(async (one): Promise<Parts> => {
      const { status, author, id } = one
      const [emojis, media_ids] = await Promise.all([emojisOf(ctx, status, author), mediaOf(ctx, status, author, id)])
      return { ...one, emojis, media_ids }
    }),
  )
  const release = (of: readonly Parts[]) =>
    Promise.all(of.map(({ id, media_ids }) => releaseMedia(ctx, id, media_ids ?? [])))
  try {
    await insertMissingAuthors(ctx.db, [...new Map(all.map(({ author }) => [author.id, author])).values()])
    const { deleted, adopted } = await ctx.db.tx((tx) => storeAll(ctx, tx, all))
    await eraseIfDeleted(ctx, [...new Set(all.map(({ author }) => author.id))])
    if (adopted.length) ctx.invalidations.send(statusInvalidation, adopted)
    await release(all.filter((one) => deleted.has(one.status.uri)))
    return new Map(
      all.map(({ id, status: { uri } }) => [uri, deleted.has(uri) ? REFUSED : { id, outcome: 'created' as const }]),
    )
  } catch (error) {
    await release(all)
    throw error
  }
}

/**
 * Stores or edits remote statuses. The operation is safe to repeat. A result is null if the status failed and must be
 * sent again alone. A failed status does not affect the others.
 */
export const putRemoteStatuses = async (
  ctx: Context,
  statuses: readonly RemoteStatus[],
): Promise<(Stored | null)[]> => {
  const arrivals = await arrivalsAmong(ctx, statuses)
  const stored = await storeTogether(ctx, [...arrivals.values()]).catch((error) => {
    ctx.log.info({ error, statuses: arrivals.size }, 'a batch of remote statuses failed and is stored one by one')
    return new Map<string, Stored>()
  })
  return Promise.all(
    statuses.map(async (status) => {
      // If a batch contained several versions of one status, the first was stored. Further versions may be newer, and are
      // applied one by one.
      const known = arrivals.get(status.uri)?.status === status ? stored.get(status.uri) : undefined
      if (known) return known
      return putRemoteStatus(ctx, status).catch((error) => {
        ctx.log.info({ error, uri: status.uri }, 'a remote status could not be stored')
        return null
      })
    }),
  )
}
