/** Remote statuses: stored once whatever order things arrive in, edited only by a newer edit, refused when taken back before. */
import { type AccountRecord, accountRecords } from '@murmuration/contracts/accounts'
import { proxyUrls, putRemoteAttachments } from '@murmuration/contracts/media'
import { type RemoteStatus, statusEdited, statusHint } from '@murmuration/contracts/statuses'
import { isDuplicate, type Tx } from '@murmuration/db'
import { normaliseTag } from '@murmuration/text'
import type { Context } from '../context.js'
import { localStatusId } from '../domain/address.js'
import { isEditNewer, publishedAt } from '../domain/remote.js'
import { isListed, replyTo } from '../domain/reply.js'
import { levelOf } from '../domain/visibility.js'
import { learnAuthors } from '../store/author-flag.js'
import { editStatus } from '../store/edit.js'
import { replaceMentions } from '../store/mention.js'
import { type Emoji, idsByUri, rowOf, rowsOf, type StatusRow } from '../store/status.js'
import { insertTags, removeTags } from '../store/tag.js'
import { adopt, awaitParent, conversationOf, takeAwaiting } from '../store/thread.js'
import { isBuried } from '../store/tombstone.js'
import { storeStatus } from './status.js'

export interface Stored {
  id: string
  outcome: 'created' | 'edited' | 'unchanged' | 'refused'
}

/** Most attachments of a remote status that are kept. */
const MOST_ATTACHMENTS = 4

const emojisOf = async (ctx: Context, status: RemoteStatus): Promise<Emoji[]> => {
  if (status.emojis.length === 0) return []
  const { urls } = await ctx.call(proxyUrls, {
    items: status.emojis.map((one) => ({ owner: status.author, kind: 'emoji' as const, remote: one.url })),
  })
  return status.emojis.flatMap(({ shortcode, url }) => {
    const ours = urls[url]
    return ours ? [{ shortcode, url: ours, static_url: ours }] : []
  })
}

const mediaOf = async (ctx: Context, status: RemoteStatus, id: string): Promise<string[]> => {
  const attachments = status.attachments.slice(0, MOST_ATTACHMENTS)
  if (attachments.length === 0) return []
  return (await ctx.call(putRemoteAttachments, { owner: status.author, status: id, attachments })).ids
}

const tagsOf = (status: RemoteStatus) =>
  [...new Map(status.tags.map((tag) => [normaliseTag(tag.name), tag.display] as const)).entries()]
    .filter(([name]) => name !== '')
    .map(([name, display]) => ({ name, display }))

/** The status that is answered, when it is here. */
const parentOf = async (ctx: Context, uri: string | null): Promise<StatusRow | null> => {
  if (uri === null) return null
  const id = (await idsByUri(ctx.db, [uri])).get(uri) ?? localStatusId(ctx.site.origin, uri)
  const row = id ? await rowOf(ctx.db, id) : null
  return row?.reblog_of_id ? rowOf(ctx.db, row.reblog_of_id) : row
}

/** A remote status that a person here may answer to: replies that came before it find it now. */
const adoptWaiting = async (
  tx: Tx,
  uri: string,
  row: { id: string; author_id: string; conversation_id: string },
): Promise<string[]> => {
  const waiting = await takeAwaiting(tx, uri)
  await adopt(tx, row, waiting)
  return waiting
}

const insert = async (ctx: Context, status: RemoteStatus, author: AccountRecord): Promise<Stored> => {
  const createdAt = publishedAt(status.published, ctx.clock.now())
  const id = ctx.ids.at(createdAt.getTime())
  const [parent, emojis, media_ids] = await Promise.all([
    parentOf(ctx, status.in_reply_to),
    emojisOf(ctx, status),
    mediaOf(ctx, status, id),
  ])
  const reply =
    parent &&
    replyTo(
      {
        id: parent.id,
        authorId: parent.author_id,
        inReplyToAccountId: parent.in_reply_to_account_id,
        conversationId: parent.conversation_id,
      },
      author.id,
    )
  const isReply = status.in_reply_to !== null
  const adopted = await ctx.db.tx(async (tx) => {
    const conversation_id =
      reply?.conversation_id ?? (status.conversation === null ? id : await conversationOf(tx, status.conversation, id))
    await storeStatus(ctx, tx, {
      push: status.push,
      mentions: status.mentions,
      tags: tagsOf(status),
      row: {
        id,
        author_id: author.id,
        local: false,
        visibility: levelOf(status.visibility),
        uri: status.uri,
        url: status.url,
        ...reply,
        in_reply_to_uri: isReply && !reply ? status.in_reply_to : null,
        conversation_id,
        html: status.html,
        spoiler_text: status.spoiler_text,
        sensitive: status.sensitive || status.spoiler_text !== '',
        language: status.language,
        media_ids,
        emojis,
        listed: isListed({
          visibility: status.visibility,
          authorId: author.id,
          isReblog: false,
          isReply,
          inReplyToAccountId: reply?.in_reply_to_account_id ?? null,
        }),
        created_at: createdAt,
        edited_at: status.edited_at === null ? null : new Date(status.edited_at),
      },
    })
    if (isReply && !reply && status.in_reply_to !== null) await awaitParent(tx, status.in_reply_to, id)
    return adoptWaiting(tx, status.uri, { id, author_id: author.id, conversation_id })
  })
  if (adopted.length) ctx.hints.send(statusHint, adopted)
  return { id, outcome: 'created' }
}

const edit = async (ctx: Context, status: RemoteStatus, row: StatusRow): Promise<Stored> => {
  if (status.edited_at === null || !isEditNewer(status.edited_at, row.edited_at))
    return { id: row.id, outcome: 'unchanged' }
  const editedAt = new Date(Math.min(Date.parse(status.edited_at), ctx.clock.now()))
  const [emojis, media_ids] = await Promise.all([emojisOf(ctx, status), mediaOf(ctx, status, row.id)])
  const tags = tagsOf(status)
  const changed = await ctx.db.tx(async (tx) => {
    const fresh = await editStatus(tx, row.id, row.author_id, {
      html: status.html,
      spoiler_text: status.spoiler_text,
      sensitive: status.sensitive || status.spoiler_text !== '',
      language: status.language,
      media_ids,
      emojis,
      tags: tags.map((tag) => tag.name),
      edited_at: editedAt,
    })
    if (!fresh) return false
    await replaceMentions(tx, row.id, status.mentions)
    await removeTags(tx, [row.id])
    await insertTags(tx, row.id, tags, () => ctx.ids.next())
    await ctx.announce(tx, statusEdited, {
      id: row.id,
      author: row.author_id,
      local: false,
      visibility: status.visibility,
      reblogOf: null,
      reblogOfAuthor: null,
      reblogOfLocal: false,
      mentions: status.mentions.filter((one) => !one.silent).map((one) => one.id),
      tags: tags.map((tag) => tag.name),
      hasMedia: media_ids.length > 0,
      editedAt: editedAt.toISOString(),
    })
    return true
  })
  if (changed) ctx.hints.send(statusHint, [row.id])
  return { id: row.id, outcome: changed ? 'edited' : 'unchanged' }
}

/** Stores or edits; the same call again changes nothing. */
export const putRemoteStatus = async (ctx: Context, status: RemoteStatus): Promise<Stored> => {
  const refused: Stored = { id: '0', outcome: 'refused' }
  const [{ records }, known, buried] = await Promise.all([
    ctx.call(accountRecords, { ids: [status.author] }),
    idsByUri(ctx.db, [status.uri]),
    isBuried(ctx.db, status.author, status.uri),
  ])
  const author = records[0]
  if (
    buried ||
    !author ||
    author.domain === null ||
    author.suspended ||
    localStatusId(ctx.site.origin, status.uri) !== null
  )
    return refused
  const there = async (id: string): Promise<Stored> => {
    const row = (await rowsOf(ctx.db, [id])).get(id)
    if (!row || row.deleted_at !== null || row.author_id !== author.id) return refused
    return edit(ctx, status, row)
  }
  const id = known.get(status.uri)
  if (id !== undefined) return there(id)
  await learnAuthors(ctx.db, [author])
  try {
    return await insert(ctx, status, author)
  } catch (error) {
    if (!isDuplicate(error)) throw error
    const other = (await idsByUri(ctx.db, [status.uri])).get(status.uri)
    if (other === undefined) throw error
    return there(other)
  }
}
