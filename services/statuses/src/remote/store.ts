/** SQL that stores remote statuses in batches, and locks for remote interactions. */
import { type Reader, sql, type Tx, texts } from '@murmuration/db'
import type { Mention } from '../core/status/mention.store.js'
import type { NewStatus } from '../core/status/store.js'
import type { TagName } from '../core/tag/store.js'

/** Locks several uris, like `lockUri`. The uris are sorted, so that concurrent batches cannot deadlock. */
export const lockUris = async (tx: Tx, uris: readonly string[]): Promise<void> => {
  await tx.run(
    sql`select pg_advisory_xact_lock(hashtextextended(uri, 0)) from unnest(${uris.toSorted()}::text[]) as one(uri)`,
  )
}

/** The given uris for which the author of the status has a tombstone. */
export const tombstonesAmong = async (
  db: Reader,
  named: readonly { uri: string; author: string }[],
): Promise<Set<string>> => {
  const rows = await db.rows<{ uri: string }>(sql`select t.uri from tombstones t
    join unnest(${named.map((one) => one.uri)}::text[], ${named.map((one) => one.author)}::bigint[]) as given(uri, author_id)
      on t.uri = given.uri and t.author_id = given.author_id`)
  return new Set(rows.map((row) => row.uri))
}

/** The given uris that replies wait for as parent. */
export const awaitedAmong = async (db: Reader, uris: readonly string[]): Promise<string[]> => {
  const rows = await db.rows<{ uri: string }>(
    sql`select distinct uri from awaited_parents where uri = any(${texts(uris)})`,
  )
  return rows.map((row) => row.uri)
}

/** Conversation ids for thread uris of other servers. A new uri gets the first `freshId` passed for it. */
export const conversationsOf = async (
  tx: Tx,
  named: readonly { uri: string; freshId: string }[],
): Promise<Map<string, string>> => {
  if (named.length === 0) return new Map()
  const first = new Map(named.toReversed().map((one) => [one.uri, one.freshId]))
  const rows = await tx.rows<{
    uri: string
    conversation_id: string
  }>(sql`insert into conversation_uris (uri, conversation_id)
    select * from unnest(${[...first.keys()]}::text[], ${[...first.values()]}::bigint[])
    order by 1 on conflict (uri) do update set uri = excluded.uri returning uri, conversation_id`)
  return new Map(rows.map((row) => [row.uri, row.conversation_id]))
}

/** Stores statuses without parent, and their uris. Throws a duplicate error if one of the uris is known. */
export const insertArrivals = async (
  tx: Tx,
  all: readonly (NewStatus & { tags: readonly string[] })[],
): Promise<void> => {
  const rows = all.map((s) => ({
    id: s.id,
    author_id: s.author_id,
    visibility: s.visibility,
    uri: s.uri,
    url: s.url,
    conversation_id: s.conversation_id,
    html: s.html ?? '',
    spoiler_text: s.spoiler_text ?? '',
    sensitive: s.sensitive ?? false,
    language: s.language ?? null,
    media_ids: s.media_ids ?? [],
    tags: s.tags,
    emojis: s.emojis ?? [],
    quote_policy: s.quote_policy ?? 0,
    listed: s.listed,
    created_at: s.created_at,
    edited_at: s.edited_at ?? null,
  }))
  await tx.run(sql`with given as materialized (
      select * from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r(id bigint, author_id bigint,
        visibility smallint, uri text, url text, conversation_id bigint, html text, spoiler_text text, sensitive boolean,
        language text, media_ids bigint[], tags text[], emojis jsonb, quote_policy smallint, listed boolean,
        created_at timestamptz, edited_at timestamptz)
    ), named as (insert into post_uris (uri, status_id) select uri, id from given)
    insert into statuses (id, author_id, local, visibility, uri, url, conversation_id, html, spoiler_text, sensitive,
      language, media_ids, tags, emojis, quote_policy, listed, has_media, created_at, edited_at)
    select id, author_id, false, visibility, uri, url, conversation_id, html, spoiler_text, sensitive, language, media_ids,
      tags, emojis, quote_policy, listed, cardinality(media_ids) > 0, created_at, edited_at from given`)
}

/** Stores the mentions of new statuses, in order. */
export const insertMentionsOf = async (
  tx: Tx,
  all: readonly { status: string; mentions: readonly Mention[] }[],
): Promise<void> => {
  const rows = all.flatMap(({ status, mentions }) => mentions.map((one, place) => ({ status, place, ...one })))
  if (rows.length === 0) return
  await tx.run(sql`insert into mentions (status_id, account_id, silent, place)
    select distinct on (status_id, account_id) * from unnest(${rows.map((one) => one.status)}::bigint[],
      ${rows.map((one) => one.id)}::bigint[], ${rows.map((one) => one.silent)}::boolean[],
      ${rows.map((one) => one.place)}::smallint[]) as given(status_id, account_id, silent, place)
    order by status_id, account_id, silent, place`)
}

export interface Tagged {
  status: string
  author: string
  /** True if the status counts for its author's featured tags. */
  open: boolean
  at: Date
  tags: readonly TagName[]
}

/** Stores the tags of new statuses, and updates the counts of featured tags. */
export const insertTagsOf = async (tx: Tx, all: readonly Tagged[], nextId: () => string): Promise<void> => {
  const each = all.flatMap(({ tags, ...of }) => tags.map((tag) => ({ ...of, ...tag })))
  if (each.length === 0) return
  // If statuses spell the same tag differently, the first spelling is stored.
  const names = [...new Map(each.toReversed().map((one) => [one.name, one])).values()]
  await tx.run(sql`insert into tags (id, name, display)
    select given.* from unnest(${names.map(() => nextId())}::bigint[], ${names.map((tag) => tag.name)}::text[],
      ${names.map((tag) => tag.display)}::text[]) as given(id, name, display)
    where not exists (select 1 from tags where tags.name = given.name)
    order by given.name on conflict (name) do nothing`)
  await tx.run(sql`insert into status_tags (tag_id, status_id)
    select tags.id, given.status_id from unnest(${each.map((one) => one.status)}::bigint[],
      ${each.map((one) => one.name)}::text[]) as given(status_id, name) join tags on tags.name = given.name
    order by tags.id, given.status_id on conflict do nothing`)
  const counted = each.filter((one) => one.open)
  await tx.run(sql`with used as (
      select author_id, name, count(*)::int as n, max(at) as at from unnest(${counted.map((one) => one.author)}::bigint[],
        ${counted.map((one) => one.name)}::text[], ${counted.map((one) => one.at)}::timestamptz[]) as given(author_id, name, at)
      group by author_id, name
    ), held as (
      select f.id, used.n, used.at from used join tags t on t.name = used.name
      join featured_tags f on f.account_id = used.author_id and f.tag_id = t.id order by f.id for update of f
    )
    update featured_tags f set statuses_count = f.statuses_count + held.n,
      last_status_at = greatest(f.last_status_at, held.at)
    from held where f.id = held.id`)
}

/** Stores the page addresses of several statuses, like `addUrl`. */
export const addUrls = async (tx: Tx, pages: readonly { url: string; id: string }[]): Promise<void> => {
  if (pages.length === 0) return
  await tx.run(sql`insert into post_urls (url, status_id)
    select * from unnest(${pages.map((one) => one.url)}::text[], ${pages.map((one) => one.id)}::bigint[])
    order by 1, 2 on conflict (url) do nothing`)
}

/** Stores when the links of several new statuses are due, like `awaitPreview`. */
export const awaitPreviews = async (tx: Tx, all: readonly { status: string; due: Date }[]): Promise<void> => {
  if (all.length === 0) return
  await tx.run(sql`insert into preview_waits (status_id, due_at)
    select * from unnest(${all.map((one) => one.status)}::bigint[], ${all.map((one) => one.due)}::timestamptz[])
    order by 1 on conflict (status_id) do nothing`)
}

/**
 * Serialises the interactions of a remote account with one status: boosts, favourites and their Undo may be processed
 * concurrently. The lock is taken after the lock of the activity id, and before rows are read.
 */
export const lockInteraction = async (tx: Tx, account: string, status: string): Promise<void> => {
  await tx.row(sql`select pg_advisory_xact_lock(hashtextextended(${`${account} ${status}`}, 1))`)
}
