/** SQL of hashtags featured on profiles, and the number of the owner's statuses with each. */
import { type Reader, sql, type Tx } from '@murmuration/db'
import type { KnownTag } from './store.js'

export interface FeaturedTagRow {
  id: string
  account_id: string
  tag_id: string
  /** Normalised name of the hashtag; `name` is the owner's spelling. */
  tag: string
  name: string
  statuses_count: number
  last_status_at: Date | null
}

/** Maximum number of an author's statuses that are read when a tag is counted for the first time. */
const MAX_COUNTED = 20_000

const columns = sql`f.id, f.account_id, f.tag_id, t.name as tag, f.name, f.statuses_count, f.last_status_at`

/** Featured tags of an account, most used first. */
export const featuredTagsOf = (db: Reader, account: string): Promise<FeaturedTagRow[]> =>
  db.rows(sql`select ${columns} from featured_tags f join tags t on t.id = f.tag_id
    where f.account_id = ${account} order by f.statuses_count desc, f.id`)

/**
 * Locks the featured tags of an account until the transaction ends, so that concurrent changes cannot exceed the limit.
 */
export const lockFeatured = async (tx: Tx, account: string): Promise<void> => {
  await tx.run(sql`select pg_advisory_xact_lock(hashtextextended('featured tags of ' || ${account}::text, 0))`)
}

export interface NewFeaturedTag {
  id: string
  tag: KnownTag
  name: string
}

/** Stores featured tags with their counts. The caller has called `lockFeatured` and checked that they do not exist. */
export const insertFeaturedTags = (tx: Tx, account: string, all: readonly NewFeaturedTag[]): Promise<number> =>
  tx.run(sql`with latest as materialized (
      select tags, created_at from statuses
      where author_id = ${account} and deleted_at is null and visibility <= 1 order by id desc limit ${MAX_COUNTED})
    insert into featured_tags (id, account_id, tag_id, name, statuses_count, last_status_at)
    select given.id, ${account}::bigint, given.tag_id, given.name, used.n, used.last
    from unnest(${all.map((one) => one.id)}::bigint[], ${all.map((one) => one.tag.id)}::bigint[],
      ${all.map((one) => one.tag.name)}::text[], ${all.map((one) => one.name)}::text[]) as given(id, tag_id, tag, name)
    cross join lateral (select count(*)::int as n, max(s.created_at) as last from latest s
      where s.tags @> array[given.tag]) used`)

export const deleteFeaturedTags = (tx: Tx, ids: readonly string[]): Promise<number> =>
  tx.run(sql`delete from featured_tags where id = any(${ids}::bigint[])`)

export const deleteFeaturedTagsOf = (tx: Tx, account: string): Promise<number> =>
  tx.run(sql`delete from featured_tags where account_id = ${account}`)

/** Adds a public or unlisted status to the counts of its author's featured tags. */
export const countFeatured = async (tx: Tx, author: string, names: readonly string[], at: Date): Promise<void> => {
  if (names.length === 0) return
  await tx.run(sql`update featured_tags set statuses_count = statuses_count + 1,
      last_status_at = greatest(last_status_at, ${at})
    where id in (select f.id from featured_tags f join tags t on t.id = f.tag_id
      where f.account_id = ${author} and t.name = any(${names}::text[]) order by f.id for update of f)`)
}

/**
 * Subtracts statuses from the counts of featured tags. The caller has removed the tags or deleted the statuses before.
 */
export const uncountFeatured = async (tx: Tx, lost: readonly { author: string; tag: string }[]): Promise<void> => {
  if (lost.length === 0) return
  await tx.run(sql`with held as (
      select f.id, f.account_id, t.name, lost.n from (
        select author, name, count(*)::int as n
        from unnest(${lost.map((one) => one.author)}::bigint[], ${lost.map((one) => one.tag)}::text[]) as gone(author, name)
        group by author, name) lost
      join tags t on t.name = lost.name
      join featured_tags f on f.account_id = lost.author and f.tag_id = t.id
      order by f.id for update of f)
    update featured_tags set statuses_count = greatest(statuses_count - held.n, 0),
      last_status_at = case when statuses_count > held.n then (
        select s.created_at from statuses s where s.author_id = held.account_id and s.deleted_at is null
          and s.visibility <= 1 and s.tags @> array[held.name] order by s.id desc limit 1) end
    from held where featured_tags.id = held.id`)
}

/** Most used tags in the latest thousand statuses of an account that it does not feature. */
export const tagsToFeature = (db: Reader, account: string, limit: number): Promise<KnownTag[]> =>
  db.rows(sql`select t.id, t.name, t.display from (
      select unnest(tags) as name from (
        select tags from statuses where author_id = ${account} and deleted_at is null order by id desc limit 1000) s
    ) used join tags t on t.name = used.name
    where not exists (select 1 from featured_tags f where f.account_id = ${account} and f.tag_id = t.id)
    group by t.id, t.name, t.display order by count(*) desc, t.name limit ${limit}`)
