/** SQL of preview cards by page address, and of the statuses that show them. */
import { type Cursor, type Database, keyset, newestFirst, type Reader, type Sql, sql, type Tx } from '@murmuration/db'
import { PREVIEW_TYPES } from '../core/preview-card/store.js'
import { isArticle } from '../core/preview-card/usage.store.js'
import type { PreviewData } from './rules.js'

/** Id of the preview card of a page; `fresh` if the page has none. */
export const previewId = async (tx: Tx, url: string, fresh: string): Promise<string> =>
  (await tx.row<{ id: string }>(sql`select id from previews where url = ${url}`))?.id ?? fresh

export interface Credits {
  id: string
  author: string | null
  claimed: string | null
  image: string | null
}

/** Stores the preview card of a page. Returns the id of the preview card. */
export const putPreview = async (tx: Tx, data: PreviewData, by: Credits, at: Date): Promise<string> => {
  const row = await tx.row<{
    id: string
  }>(sql`insert into previews (id, url, type, article, title, description, language,
      author_name, author_url, author_id, claimed_author_id, provider_name, provider_url, html, width, height, embed_url,
      image_id, image_description, published_at, fetched_at)
    values (${by.id}, ${data.url}, ${PREVIEW_TYPES.indexOf(data.type)}, ${data.article}, ${data.title},
      ${data.description}, ${data.language}, ${data.authorName}, ${data.authorUrl}, ${by.author}, ${by.claimed},
      ${data.providerName}, ${data.providerUrl}, ${data.html}, ${data.width}, ${data.height}, ${data.embedUrl},
      ${by.image}, ${data.imageDescription}, ${data.publishedAt}, ${at})
    on conflict (url) do update set type = excluded.type, article = excluded.article, title = excluded.title,
      description = excluded.description, language = excluded.language, author_name = excluded.author_name,
      author_url = excluded.author_url, author_id = excluded.author_id, claimed_author_id = excluded.claimed_author_id,
      provider_name = excluded.provider_name, provider_url = excluded.provider_url, html = excluded.html,
      width = excluded.width, height = excluded.height, embed_url = excluded.embed_url, image_id = excluded.image_id,
      image_description = excluded.image_description, published_at = excluded.published_at,
      fetched_at = excluded.fetched_at
    returning id`)
  return row?.id ?? by.id
}

/**
 * Sets or removes the preview card of a status. Returns true if the status did not show this page before. Nothing
 * changes if the status was edited since `rev`.
 */
export const showPreview = async (
  tx: Tx,
  status: { id: string; rev: number },
  shown: { id: string; url: string } | null,
): Promise<boolean> => {
  const held =
    await tx.run(sql`update statuses set preview_id = ${shown?.id ?? null}, preview_url = ${shown?.url ?? null}
    where id = ${status.id} and rev = ${status.rev} and deleted_at is null`)
  if (held === 0) return false
  await tx.run(sql`delete from status_previews where status_id = ${status.id}
    and preview_id is distinct from ${shown?.id ?? null}::bigint`)
  if (shown === null) return false
  const added = await tx.run(sql`insert into status_previews (preview_id, status_id) values (${shown.id}, ${status.id})
    on conflict do nothing`)
  return added > 0
}

/** Public statuses that show a preview card, by discoverable authors. Boosts are excluded. */
export const linkTimelineIds = async (
  db: Reader,
  preview: string,
  filter: { local: boolean; remote: boolean; languages: readonly string[] | null },
  page: Cursor,
): Promise<string[]> => {
  const half: Sql = filter.local && filter.remote ? sql`` : filter.local ? sql`and s.local` : sql`and not s.local`
  const languages =
    filter.languages === null ? sql`` : sql`and (s.language is null or s.language = any(${filter.languages}::text[]))`
  const rows = await db.rows<{ id: string }>(sql`select p.status_id as id from status_previews p
    cross join lateral (select 1 from statuses s where s.id = p.status_id and s.deleted_at is null and s.visibility = 0
      and s.reblog_of_id is null ${half} ${languages} and exists (select 1 from author_flags a
        where a.account_id = s.author_id and a.discoverable and not a.silenced and not a.suspended)) s
    where p.preview_id = ${preview} ${keyset(sql`p.status_id`, page)}`)
  return newestFirst(rows, page).map((row) => row.id)
}

/**
 * Preview card of a page that is trending and allowed, by its own address or one that redirects to it; null otherwise.
 */
export const trendingPreview = async (db: Reader, url: string, byDefault: boolean): Promise<string | null> =>
  (
    await db.row<{ id: string }>(sql`select p.id from previews p
      where (p.url = ${url} or p.id = (select preview_id from links where url = ${url})) and ${isArticle}
        and exists (select 1 from trends t where t.kind = 1 and t.id = p.id and t.score > 0
          and coalesce(t.allowed, ${byDefault}::boolean)) limit 1`)
  )?.id ?? null

/** Stores when the link of a status is due to be fetched. */
export const awaitPreview = (tx: Tx, status: string, due: Date): Promise<number> =>
  tx.run(sql`insert into preview_waits (status_id, due_at) values (${status}, ${due})
    on conflict (status_id) do update set due_at = excluded.due_at`)

/** Whether any link is due. The check is one cheap read, because mostly no link is due. */
export const isPreviewDue = (db: Database, now: Date): Promise<boolean> =>
  db.exists(sql`select 1 from preview_waits where due_at <= ${now}`)

/** Deletes and returns the statuses whose links are due, at most `limit`. */
export const takeDuePreviews = async (tx: Tx, now: Date, limit: number): Promise<string[]> =>
  (
    await tx.rows<{ status_id: string }>(sql`delete from preview_waits where status_id in (
      select status_id from preview_waits where due_at <= ${now} order by due_at limit ${limit} for update skip locked)
      returning status_id`)
  ).map((row) => row.status_id)

/** Deletes at most `limit` stored results whose next fetch was due before `before`. */
export const deleteLinks = (db: Reader, before: Date, limit: number): Promise<number> =>
  db.run(sql`delete from links where url in (
    select url from links where next_at < ${before} order by next_at limit ${limit})`)

/**
 * Position of a page in the order in which pages were read. The time is text, because text keeps the microseconds of
 * the database.
 */
interface Position {
  at: string
  id: string
}

/** Pages that were last read after the position `after` and before the time `before`, the longest unread first. */
export const oldPreviews = (db: Reader, after: Position, before: Date, limit: number): Promise<Position[]> =>
  db.rows(sql`select id, fetched_at::text as at from previews
    where (fetched_at, id) > (${after.at}::timestamptz, ${after.id}::bigint) and fetched_at < ${before}
    order by previews.fetched_at, id limit ${limit}`)

/**
 * Checks at most `limit` pages that were read before `before`, and deletes those without statuses and links. The next
 * call continues after the last checked page, or begins with the oldest page again if none follows.
 * Returns the number of checked pages, and the pictures of deleted ones. Does nothing while another process checks pages.
 */
export const sweepPreviews = async (
  tx: Tx,
  before: Date,
  limit: number,
): Promise<{ seen: number; withImage: { id: string; image: string }[] }> => {
  const mark = await tx.row<Position>(
    sql`select after_at::text as at, after_id as id from preview_sweep for update skip locked limit 1`,
  )
  if (mark === null) return { seen: 0, withImage: [] }
  const old = await oldPreviews(tx, mark, before, limit)
  const gone = await tx.rows<{ id: string; image_id: string | null }>(sql`delete from previews p
    where id = any(${old.map((one) => one.id)}::bigint[])
      and not exists (select 1 from status_previews s where s.preview_id = p.id)
      and not exists (select 1 from links l where l.preview_id = p.id) returning p.id, p.image_id`)
  const next = old.length < limit ? { at: '-infinity', id: '0' } : (old.at(-1) as Position)
  await tx.run(sql`update preview_sweep set after_at = ${next.at}::timestamptz, after_id = ${next.id}`)
  return {
    seen: old.length,
    withImage: gone.flatMap(({ id, image_id: image }) => (image === null ? [] : [{ id, image }])),
  }
}
