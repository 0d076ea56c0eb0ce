/** Builds the records of statuses for other services, and the data of Note documents. */
import { attachmentRecords } from '@murmuration/contracts/media'
import type { NoteData, StatusRecord } from '@murmuration/contracts/statuses'
import { loadInChunks } from '@murmuration/flow'
import type { Context } from '../context.js'
import { isExpired } from '../core/poll/rules.js'
import { type PollRow, pollsOf } from '../core/poll/store.js'
import { policyGroups } from '../core/quote/rules.js'
import { quotesOf } from '../core/quote/store.js'
import { approvalsOf } from '../core/reply/approval.store.js'
import { type OwnReplies, ownReplies } from '../core/reply/thread.store.js'
import { type Counts, countsOf } from '../core/status/count.store.js'
import { localAmong, notDeletedAmong, rowsOf, type StatusRow } from '../core/status/store.js'
import { visibilityOf } from '../core/visibility/rules.js'

export const recordOf = (row: StatusRow): StatusRecord => ({
  id: row.id,
  uri: row.uri,
  url: row.url,
  author: row.author_id,
  local: row.local,
  visibility: visibilityOf(row.visibility),
  reblog_of: row.reblog_of_id,
  reblog_of_author: row.reblog_of_author_id,
  in_reply_to: row.in_reply_to_id,
  in_reply_to_author: row.in_reply_to_author_id,
  conversation: row.conversation_id,
  // A held reply mentions only the author of its parent.
  mentions: row.held ? [row.in_reply_to_author_id ?? row.author_id] : row.mentions.map((one) => one.id),
  created_at: row.created_at.toISOString(),
  deleted: row.deleted_at !== null,
  deleted_at: row.deleted_at?.toISOString() ?? null,
})

type Attachment = NoteData['attachments'][number]

/**
 * Attachments by id with the address for documents: that of this server for local files, the original one for remote
 * files.
 */
const attachmentsOf = (ctx: Context, ids: readonly string[]): Promise<Map<string, Attachment>> =>
  loadInChunks(ids, 400, async (some) => {
    const { records } = await ctx.call(attachmentRecords, { ids: some })
    return new Map(
      records.map(({ id, url, remote_url, media_type, description, blurhash, width, height, focus }) => [
        id,
        { url: remote_url ?? url, media_type, description, blurhash, width, height, focus },
      ]),
    )
  })

const sourceOf = (
  row: StatusRow,
  counts: Counts | undefined,
  files: ReadonlyMap<string, Attachment>,
  quoted: NoteData['quote'],
  poll: NoteData['poll'],
  replies: OwnReplies | undefined,
  here: ReadonlySet<string>,
): NoteData => ({
  ...recordOf(row),
  held: row.held && { visibility: visibilityOf(row.held.visibility) },
  html: row.html,
  text: row.text,
  spoiler_text: row.spoiler_text,
  sensitive: row.sensitive,
  language: row.language,
  edited_at: row.edited_at?.toISOString() ?? null,
  in_reply_to_uri: row.in_reply_to_uri,
  reblog_of_uri: row.reblog_of_uri,
  quote: quoted,
  may_quote: policyGroups(row.quote_policy).automatic,
  conversation_uri: row.conversation_uri,
  mention_accounts: row.mentions,
  tags: row.tags,
  emojis: row.emojis,
  attachments: row.media_ids.flatMap((id) => files.get(id) ?? []),
  poll,
  replies_count: counts?.replies ?? 0,
  reblogs_count: counts?.reblogs ?? 0,
  favourites_count: counts?.favourites ?? 0,
  link: row.preview_id === null ? null : row.preview_url,
  own_replies: replies?.uris ?? [],
  own_replies_more: replies?.more ?? false,
  conversation_here: row.conversation_uri === null && here.has(row.conversation_id),
})

/** Quotes of statuses for documents. A deleted quoted status has no address unless its uri is stored in the quote. */
const quotedBy = async (ctx: Context, rows: readonly StatusRow[]): Promise<Map<string, NoteData['quote']>> => {
  const quotes = await quotesOf(
    ctx.db,
    rows.filter((row) => row.has_quote).map((row) => row.id),
  )
  const quoted = await rowsOf(
    ctx.db,
    [...quotes.values()].flatMap((quote) => quote.quoted_id ?? []),
  )
  return new Map(
    [...quotes].map(([id, quote]) => {
      const row = quote.quoted_id === null ? undefined : quoted.get(quote.quoted_id)
      const alive = row && row.deleted_at === null ? row : null
      return [
        id,
        {
          uri: alive?.uri ?? quote.quoted_uri,
          author: quote.quoted_author_id,
          stamp: quote.state === 'accepted' ? quote.stamp_uri : null,
          pending: quote.state === 'pending',
        },
      ]
    }),
  )
}

const notePollOf = (row: PollRow, now: number): NonNullable<NoteData['poll']> => {
  const closed = isExpired(row.expires_at, now)
  const hidden = row.hide_totals && !closed
  return {
    multiple: row.multiple,
    options: row.options.map((title, i) => ({ title, votes: hidden ? 0 : (row.votes[i] ?? 0) })),
    expires_at: row.expires_at?.toISOString() ?? null,
    closed,
    voters: row.voters ?? 0,
    hidden,
  }
}

/** Data of Note documents, in the order of the rows. Deleted statuses are omitted. */
export const sourcesOf = async (ctx: Context, rows: readonly StatusRow[]): Promise<NoteData[]> => {
  const living = rows.filter((row) => row.deleted_at === null)
  const [files, quotes, polls, counts, replies, here, approvals, parents] = await Promise.all([
    attachmentsOf(
      ctx,
      living.flatMap((row) => row.media_ids),
    ),
    quotedBy(ctx, living),
    pollsOf(
      ctx.db,
      living.flatMap((row) => row.poll_id ?? []),
    ),
    countsOf(
      ctx.db,
      living.map((row) => row.id),
    ),
    ownReplies(
      ctx.db,
      living.map((row) => row.id),
    ),
    localAmong(
      ctx.db,
      living.map((row) => row.conversation_id),
    ),
    approvalsOf(
      ctx.db,
      living.flatMap((row) => (row.local && row.in_reply_to_id !== null ? [row.id] : [])),
    ),
    notDeletedAmong(
      ctx.db,
      living.flatMap((row) => row.in_reply_to_id ?? []),
    ),
  ])
  return living.map((row) => {
    const poll = row.poll_id === null ? undefined : polls.get(row.poll_id)
    const source = sourceOf(
      row,
      counts.get(row.id),
      files,
      quotes.get(row.id) ?? null,
      poll ? notePollOf(poll, ctx.clock.now()) : null,
      replies.get(row.id),
      here,
    )
    // Like `in_reply_to_id`, the Note document of a reply does not name a deleted parent.
    const isParentGone = row.in_reply_to_id !== null && !parents.has(row.in_reply_to_id)
    return {
      ...source,
      in_reply_to_uri: isParentGone ? null : row.in_reply_to_uri,
      approved_by: isParentGone ? null : (approvals.get(row.id) ?? null),
    }
  })
}
