/** SQL of hashtag follows. */
import { type Cursor, keyset, type Reader, sql, type Tx, texts } from '@murmuration/db'
import type { KnownTag } from '../core/tag/store.js'

/** Stores a follow. Returns 0 if the account follows the hashtag already. */
export const insertTagFollow = (tx: Tx, id: string, account: string, tag: string): Promise<number> =>
  tx.run(sql`insert into tag_follows (id, account_id, tag_id) values (${id}, ${account}, ${tag})
    on conflict (tag_id, account_id) do nothing`)

/** Deletes a follow. Returns 0 if the account did not follow the hashtag. */
export const deleteTagFollow = (tx: Tx, account: string, tag: string): Promise<number> =>
  tx.run(sql`delete from tag_follows where account_id = ${account} and tag_id = ${tag}`)

/** A page of the hashtags that an account follows, by the id of the follow. */
export const tagFollowsOf = (db: Reader, account: string, page: Cursor): Promise<(KnownTag & { cursor: string })[]> =>
  db.rows(sql`select f.id as cursor, t.id, t.name, t.display from tag_follows f join tags t on t.id = f.tag_id
    where f.account_id = ${account} ${keyset(sql`f.id`, page)}`)

/** Whether any account follows one of the tags. */
export const anyFollows = async (db: Reader, names: readonly string[]): Promise<boolean> =>
  (await db.row(sql`select 1 from unnest(array(select id from tags where name = any(${texts(names)}))) as tag(id)
    where exists (select 1 from tag_follows f where f.tag_id = tag.id) limit 1`)) !== null

/** Distinct accounts that follow any of the tags, in order of ids, after `after`. */
export const followersOfTags = async (
  db: Reader,
  names: readonly string[],
  after: string | undefined,
  limit: number,
): Promise<string[]> => {
  const rows = await db.rows<{ account_id: string }>(sql`select distinct one.account_id
    from unnest(array(select id from tags where name = any(${texts(names)}))) as tag(id)
    cross join lateral (select f.account_id from tag_follows f
      where f.tag_id = tag.id and f.account_id > ${after ?? '0'}::bigint order by f.account_id limit ${limit}) one
    order by one.account_id limit ${limit}`)
  return rows.map((row) => row.account_id)
}

/**
 * The given statuses that could be in the account's home feed only because of this tag: they have another author, and
 * no tag that the account follows. Empty while the account follows the tag itself.
 */
export const statusesOnlyByTag = (
  db: Reader,
  statuses: readonly string[],
  { account, tag }: { account: string; tag: string },
): Promise<{ id: string; author_id: string }[]> =>
  db.rows(sql`select s.id, s.author_id from unnest(${statuses}::bigint[]) as wanted(id)
    cross join lateral (select s.id, s.author_id from statuses s where s.id = wanted.id) s
    where s.author_id <> ${account}::bigint
      and exists (select 1 from status_tags st where st.status_id = s.id and st.tag_id = ${tag}::bigint)
      and not exists (select 1 from status_tags st join tag_follows f on f.tag_id = st.tag_id
        where st.status_id = s.id and f.account_id = ${account}::bigint)`)
