/** SQL of statuses: storing, marking as deleted, locking, and reading the rows of cards and documents. */
import { isDuplicate, type Reader, sql, type Tx, texts } from '@murmuration/db'
import { isAnnounced } from '../older-table-names.store.js'
import { HELD } from '../visibility/rules.js'

/**
 * Whether the database error means that another status has the id. All remote statuses of one millisecond share 65,536
 * ids, and many servers send whole seconds.
 */
export const isIdTaken = (error: unknown): boolean =>
  isDuplicate(error) && /^statuses_.*pkey$/.test(String((error as { constraint?: unknown }).constraint))

export interface NewStatus {
  id: string
  author_id: string
  local: boolean
  visibility: number
  uri: string
  url: string | null
  reblog_of_id?: string | null
  reblog_of_author_id?: string | null
  in_reply_to_id?: string | null
  in_reply_to_author_id?: string | null
  in_reply_to_account_id?: string | null
  in_reply_to_uri?: string | null
  conversation_id: string
  text?: string
  html?: string
  spoiler_text?: string
  sensitive?: boolean
  language?: string | null
  application?: { name: string; website: string | null } | null
  media_ids?: readonly string[]
  tags?: readonly string[]
  emojis?: readonly Emoji[]
  poll_id?: string | null
  quote_policy?: number
  has_quote?: boolean
  listed: boolean
  created_at: Date
  edited_at?: Date | null
}

export interface Emoji {
  shortcode: string
  url: string
  static_url: string
}

/** The revision of a status that was never changed. */
export const FIRST_REVISION = 1

/** Stores a status and its uri. The transaction fails with a duplicate error if the uri is known. */
export const insertStatus = (tx: Tx, s: NewStatus): void => {
  const media = s.media_ids ?? []
  tx.send(sql`with named as (insert into post_uris (uri, status_id) values (${s.uri}, ${s.id}))
    insert into statuses (id, author_id, local, visibility, uri, url, reblog_of_id, reblog_of_author_id,
      in_reply_to_id, in_reply_to_author_id, in_reply_to_account_id, in_reply_to_uri, conversation_id, text, html,
      spoiler_text, sensitive, language, application, media_ids, tags, emojis, poll_id, quote_policy, has_quote, listed, has_media,
      created_at, edited_at)
    values (${s.id}, ${s.author_id}, ${s.local}, ${s.visibility}, ${s.uri}, ${s.url}, ${s.reblog_of_id ?? null},
      ${s.reblog_of_author_id ?? null}, ${s.in_reply_to_id ?? null}, ${s.in_reply_to_author_id ?? null},
      ${s.in_reply_to_account_id ?? null}, ${s.in_reply_to_uri ?? null}, ${s.conversation_id}, ${s.text ?? ''},
      ${s.html ?? ''}, ${s.spoiler_text ?? ''}, ${s.sensitive ?? false}, ${s.language ?? null},
      ${s.application ? JSON.stringify(s.application) : null}, ${media}::bigint[], ${s.tags ?? []},
      ${JSON.stringify(s.emojis ?? [])}, ${s.poll_id ?? null}, ${s.quote_policy ?? 0}, ${s.has_quote ?? false},
      ${s.listed}, ${media.length > 0}, ${s.created_at}, ${s.edited_at ?? null})`)
}

/** All columns that cards, records and documents need. */
export interface StatusRow {
  id: string
  author_id: string
  local: boolean
  visibility: number
  uri: string
  url: string | null
  reblog_of_id: string | null
  reblog_of_author_id: string | null
  reblog_of_uri: string | null
  in_reply_to_id: string | null
  in_reply_to_author_id: string | null
  in_reply_to_account_id: string | null
  in_reply_to_uri: string | null
  conversation_id: string
  conversation_uri: string | null
  text: string
  html: string
  spoiler_text: string
  sensitive: boolean
  language: string | null
  media_ids: string[]
  tags: string[]
  emojis: Emoji[]
  poll_id: string | null
  quote_policy: number
  has_quote: boolean
  preview_id: string | null
  preview_url: string | null
  listed: boolean
  has_media: boolean
  rev: number
  created_at: Date
  edited_at: Date | null
  deleted_at: Date | null
  /** `held` is set for a held reply: its final visibility, and whether it was released before. */
  held: { visibility: number; announced: boolean } | null
  /** Mentioned accounts, in the order of the text. */
  mentions: { id: string; silent: boolean }[]
}

const wholeRow = sql`s.id, s.author_id, s.local, s.visibility, s.uri, s.url, s.reblog_of_id, s.reblog_of_author_id,
  s.in_reply_to_id, s.in_reply_to_author_id, s.in_reply_to_account_id, s.conversation_id, s.text, s.html, s.spoiler_text,
  s.sensitive, s.language, s.media_ids, s.tags, s.emojis, s.poll_id, s.quote_policy, s.has_quote, s.preview_id,
  s.preview_url, s.listed, s.has_media, s.rev, s.created_at, s.edited_at, s.deleted_at,
  (select json_build_object('visibility', visibility, 'announced', ${isAnnounced}) from held_replies
    where s.visibility = ${HELD} and status_id = s.id) as held, (select uri from post_uris where status_id = s.reblog_of_id limit 1) as reblog_of_uri,
  coalesce(s.in_reply_to_uri, (select uri from post_uris where status_id = s.in_reply_to_id limit 1)) as in_reply_to_uri,
  (select uri from conversation_uris where conversation_id = s.conversation_id) as conversation_uri,
  coalesce((select json_agg(json_build_object('id', account_id::text, 'silent', silent) order by place)
    from mentions where status_id = s.id), '[]') as mentions`

/** Rows of statuses by id, including deleted statuses. */
export const rowsOf = async (db: Reader, ids: readonly string[]): Promise<Map<string, StatusRow>> => {
  if (ids.length === 0) return new Map()
  const rows = await db.rows<StatusRow>(sql`select ${wholeRow} from unnest(${ids}::bigint[]) as wanted(id)
    cross join lateral (select * from statuses s where s.id = wanted.id) s`)
  return new Map(rows.map((row) => [row.id, row]))
}

/** Row of one status; null if the status is missing or deleted. */
export const rowOf = async (db: Reader, id: string): Promise<StatusRow | null> => {
  const row = (await rowsOf(db, [id])).get(id)
  return row && row.deleted_at === null ? row : null
}

/** Status ids by uri, including deleted statuses. */
export const idsByUri = async (db: Reader, uris: readonly string[]): Promise<Map<string, string>> => {
  if (uris.length === 0) return new Map()
  const rows = await db.rows<{ uri: string; status_id: string }>(
    sql`select uri, status_id from post_uris where uri = any(${texts(uris)})`,
  )
  return new Map(rows.map((row) => [row.uri, row.status_id]))
}

/** Stores the page address of a remote status, for searches by address. The first status with an address keeps it. */
export const addUrl = (tx: Tx, url: string, id: string): Promise<number> =>
  tx.run(sql`insert into post_urls (url, status_id) values (${url}, ${id}) on conflict (url) do nothing`)

/** Ids of remote statuses by the address of their page. */
export const idsByUrl = async (db: Reader, urls: readonly string[]): Promise<Map<string, string>> => {
  if (urls.length === 0) return new Map()
  const rows = await db.rows<{ url: string; status_id: string }>(
    sql`select url, status_id from post_urls where url = any(${texts(urls)})`,
  )
  return new Map(rows.map((row) => [row.url, row.status_id]))
}

/** Number of these statuses that are public or unlisted. */
export const openAmong = async (db: Reader, ids: readonly string[]): Promise<number> =>
  ids.length === 0
    ? 0
    : ((
        await db.row<{ n: number }>(sql`select count(*)::int as n from statuses
          where id = any(${ids}::bigint[]) and visibility <= 1 and deleted_at is null`)
      )?.n ?? 0)

/** Locks a status against deletion until the transaction ends (F061). Returns false if the status is missing or deleted. */
export const lockIfNotDeleted = async (tx: Tx, id: string): Promise<boolean> =>
  (await tx.row(sql`select 1 from statuses where id = ${id} and deleted_at is null for key share`)) !== null

/** Creation time of a status, which is locked like by `lockIfNotDeleted`; null if missing or deleted. */
export const createdIfNotDeleted = async (tx: Tx, id: string): Promise<Date | null> =>
  (
    await tx.row<{ created_at: Date }>(
      sql`select created_at from statuses where id = ${id} and deleted_at is null for key share`,
    )
  )?.created_at ?? null

/** Visibility of a status, locked until the transaction ends; null if missing or deleted. */
export const keptVisibility = async (tx: Tx, id: string): Promise<number | null> =>
  (
    await tx.row<{ visibility: number }>(
      sql`select visibility from statuses where id = ${id} and deleted_at is null for share`,
    )
  )?.visibility ?? null

/** Locks a status for change. Returns null if the status is missing, deleted, or of another author. */
export const lockForChange = async (tx: Tx, id: string, author: string): Promise<{ rev: number } | null> =>
  tx.row(sql`select rev from statuses where id = ${id} and author_id = ${author} and deleted_at is null for update`)

/** Locks statuses for change, in order of ids. Returns the ids that are not deleted. */
export const lockAllForChange = async (tx: Tx, ids: readonly string[]): Promise<string[]> =>
  (
    await tx.rows<{ id: string }>(sql`select id from statuses where id = any(${ids}::bigint[]) and deleted_at is null
      order by id for update`)
  ).map((row) => row.id)

/** Ids of the local statuses among these, including deleted ones. */
export const localAmong = async (db: Reader, ids: readonly string[]): Promise<Set<string>> => {
  if (ids.length === 0) return new Set()
  const rows = await db.rows<{ id: string }>(
    sql`select id from statuses where id = any(${[...new Set(ids)]}::bigint[]) and local`,
  )
  return new Set(rows.map((row) => row.id))
}

/** Ids of the statuses among these that are not deleted. */
export const notDeletedAmong = async (db: Reader, ids: readonly string[]): Promise<Set<string>> => {
  if (ids.length === 0) return new Set()
  const rows = await db.rows<{ id: string }>(
    sql`select id from statuses where id = any(${[...new Set(ids)]}::bigint[]) and deleted_at is null`,
  )
  return new Set(rows.map((row) => row.id))
}

/** Stores the quote policy of a status, without a new version. */
export const setQuotePolicy = (db: Reader, id: string, policy: number): Promise<number> =>
  db.run(sql`update statuses set quote_policy = ${policy} where id = ${id} and quote_policy <> ${policy}`)

/** Increases the revision of a status that was not edited, which invalidates its cached cards and columns. */
export const renewRevision = (tx: Tx, id: string): Promise<number> =>
  tx.run(sql`update statuses set rev = rev + 1 where id = ${id}`)

/** Stores whether a status quotes another one, without a new version. */
export const setHasQuote = (tx: Tx, id: string, has: boolean): Promise<number> =>
  tx.run(sql`update statuses set has_quote = ${has} where id = ${id}`)

/** Replaces the uri of a status. The old uri is deleted. */
export const renameStatus = async (tx: Tx, id: string, uri: string): Promise<void> => {
  await tx.run(sql`delete from post_uris where status_id = ${id}`)
  await tx.run(sql`insert into post_uris (uri, status_id) values (${uri}, ${id})`)
  await tx.run(sql`update statuses set uri = ${uri}, rev = rev + 1 where id = ${id}`)
}

/** Marks statuses as deleted. */
export const markDeleted = (tx: Tx, ids: readonly string[], at: Date): Promise<number> =>
  tx.run(
    sql`update statuses set deleted_at = ${at}, rev = rev + 1 where id = any(${ids}::bigint[]) and deleted_at is null`,
  )
