/** Statuses as rows: writing, marking as deleted, and reading what cards and records are made from. */
import { isDuplicate, type Reader, sql, type Tx, texts } from '@murmuration/db'
import { HELD } from '../visibility/rules.js'

/** True when another status has the id: those of one moment elsewhere have 65,536 between them, and many servers tell whole seconds. */
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

/** The revision of a status that nobody has changed. */
export const FIRST_REVISION = 1

/** Stores a status and its uri. The transaction fails with a duplicate when the uri is known. */
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

/** Everything a card, a record or a document is written from. */
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
  /** Of an answer that waits for approval: for whom it is then, and whether it was let go before. */
  held: { visibility: number; told: boolean } | null
  /** In the order of the text. */
  mentions: { id: string; silent: boolean }[]
}

const wholeRow = sql`s.*,
  (select json_build_object('visibility', visibility, 'told', told) from held_replies
    where s.visibility = ${HELD} and status_id = s.id) as held, (select uri from post_uris where status_id = s.reblog_of_id limit 1) as reblog_of_uri,
  coalesce(s.in_reply_to_uri, (select uri from post_uris where status_id = s.in_reply_to_id limit 1)) as in_reply_to_uri,
  (select uri from conversation_uris where conversation_id = s.conversation_id) as conversation_uri,
  coalesce((select json_agg(json_build_object('id', account_id::text, 'silent', silent) order by place)
    from mentions where status_id = s.id), '[]') as mentions`

/** Rows by id, also of deleted statuses. */
export const rowsOf = async (db: Reader, ids: readonly string[]): Promise<Map<string, StatusRow>> => {
  if (ids.length === 0) return new Map()
  const rows = await db.rows<StatusRow>(sql`select ${wholeRow} from unnest(${ids}::bigint[]) as wanted(id)
    cross join lateral (select * from statuses s where s.id = wanted.id) s`)
  return new Map(rows.map((row) => [row.id, row]))
}

/** One row; deleted ones count as absent. */
export const rowOf = async (db: Reader, id: string): Promise<StatusRow | null> => {
  const row = (await rowsOf(db, [id])).get(id)
  return row && row.deleted_at === null ? row : null
}

/** Ids of statuses by uri; deleted ones too. */
export const idsByUri = async (db: Reader, uris: readonly string[]): Promise<Map<string, string>> => {
  if (uris.length === 0) return new Map()
  const rows = await db.rows<{ uri: string; status_id: string }>(
    sql`select uri, status_id from post_uris where uri = any(${texts(uris)})`,
  )
  return new Map(rows.map((row) => [row.uri, row.status_id]))
}

/** Remembers the page address of a remote status, for people who paste it; the first one to have it keeps it. */
export const addUrl = (tx: Tx, url: string, id: string): Promise<number> =>
  tx.run(sql`insert into post_urls (url, status_id) values (${url}, ${id}) on conflict (url) do nothing`)

/** The remote status whose page this is. */
export const idByUrl = async (db: Reader, url: string): Promise<string | null> =>
  (await db.row<{ status_id: string }>(sql`select status_id from post_urls where url = ${url}`))?.status_id ?? null

/** The same for several pages. */
export const idsByUrl = async (db: Reader, urls: readonly string[]): Promise<Map<string, string>> => {
  if (urls.length === 0) return new Map()
  const rows = await db.rows<{ url: string; status_id: string }>(
    sql`select url, status_id from post_urls where url = any(${texts(urls)})`,
  )
  return new Map(rows.map((row) => [row.url, row.status_id]))
}

/** How many of the statuses everybody can see. */
export const openAmong = async (db: Reader, ids: readonly string[]): Promise<number> =>
  ids.length === 0
    ? 0
    : ((
        await db.row<{ n: number }>(sql`select count(*)::int as n from statuses
          where id = any(${ids}::bigint[]) and visibility <= 1 and deleted_at is null`)
      )?.n ?? 0)

/** Holds a living status until the transaction ends, so that nobody deletes it meanwhile (F061). False when it is gone. */
export const holdAlive = async (tx: Tx, id: string): Promise<boolean> =>
  (await tx.row(sql`select 1 from statuses where id = ${id} and deleted_at is null for key share`)) !== null

/** The visibility that a living status keeps until the transaction ends; null when it is gone. */
export const keptVisibility = async (tx: Tx, id: string): Promise<number | null> =>
  (
    await tx.row<{ visibility: number }>(
      sql`select visibility from statuses where id = ${id} and deleted_at is null for share`,
    )
  )?.visibility ?? null

/** Holds a living status for change; null when it is gone, or not this author’s. */
export const holdForChange = async (tx: Tx, id: string, author: string): Promise<{ rev: number } | null> =>
  tx.row(sql`select rev from statuses where id = ${id} and author_id = ${author} and deleted_at is null for update`)

/** Holds living statuses for change; gives the ids of those that are not gone. */
export const holdAllForChange = async (tx: Tx, ids: readonly string[]): Promise<string[]> =>
  (
    await tx.rows<{ id: string }>(sql`select id from statuses where id = any(${ids}::bigint[]) and deleted_at is null
      order by id for update`)
  ).map((row) => row.id)

/** Ids of local statuses among these, deleted ones included. */
export const localAmong = async (db: Reader, ids: readonly string[]): Promise<Set<string>> => {
  if (ids.length === 0) return new Set()
  const rows = await db.rows<{ id: string }>(
    sql`select id from statuses where id = any(${[...new Set(ids)]}::bigint[]) and local`,
  )
  return new Set(rows.map((row) => row.id))
}

/** Stores the quote policy of a status; no new version of it. */
export const setQuotePolicy = (db: Reader, id: string, policy: number): Promise<number> =>
  db.run(sql`update statuses set quote_policy = ${policy} where id = ${id} and quote_policy <> ${policy}`)

/** Increases the revision of a status that was not edited, so that its cached cards and facts are out of date. */
export const renewRevision = (tx: Tx, id: string): Promise<number> =>
  tx.run(sql`update statuses set rev = rev + 1 where id = ${id}`)

/** Whether a status quotes another one; no new version of it. */
export const setHasQuote = (tx: Tx, id: string, has: boolean): Promise<number> =>
  tx.run(sql`update statuses set has_quote = ${has} where id = ${id}`)

/** Gives a status another address; the one before is forgotten. */
export const renameStatus = async (tx: Tx, id: string, uri: string): Promise<void> => {
  await tx.run(sql`delete from post_uris where status_id = ${id}`)
  await tx.run(sql`insert into post_uris (uri, status_id) values (${uri}, ${id})`)
  await tx.run(sql`update statuses set uri = ${uri}, rev = rev + 1 where id = ${id}`)
}

/** Marks as deleted. */
export const markDeleted = (tx: Tx, ids: readonly string[], at: Date): Promise<number> =>
  tx.run(
    sql`update statuses set deleted_at = ${at}, rev = rev + 1 where id = any(${ids}::bigint[]) and deleted_at is null`,
  )
