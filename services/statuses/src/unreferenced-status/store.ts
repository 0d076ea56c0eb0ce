/** SQL of old remote statuses, their replies, boosts and quotes, and of local references to them. */
import { bigints, type Reader, type Sql, sql } from '@murmuration/db'

export interface Member {
  id: string
  author_id: string
  local: boolean
}

/** Remote statuses between two ids that are not deleted. */
export const remoteWindow = (db: Reader, after: string, before: string, limit: number): Promise<Member[]> =>
  db.rows(sql`select id, author_id, local from statuses
    where id > ${after} and id < ${before} and deleted_at is null and not local order by id limit ${limit}`)

/** Replies, boosts and quotes of a status, including pending quotes. */
const childrenOf = (parent: Sql): Sql =>
  sql`(select child_id as id from replies where parent_id = ${parent}
    union all select reblog_id from reblogs where status_id = ${parent}
    union all select status_id from quotes where quoted_id = ${parent} and state = 1
    union all select status_id from quotes where quoted_id = ${parent} and state = 0) as child`

/** Ids of a status (`parent`) and of one reply, boost or quote of it (`id`). */
export interface Edge {
  parent: string
  id: string
}

/**
 * All replies, boosts and quotes below these statuses as pairs of parent and child, at most `limit`. Each pair is one
 * row, so that statuses of one thread share the rows below them.
 */
export const edgesBelow = (db: Reader, ids: readonly string[], limit: number): Promise<Edge[]> =>
  db.rows(sql`with recursive tree(parent, id) as (
      select wanted.id, child.id from unnest(${bigints(ids)}) as wanted(id) cross join lateral ${childrenOf(sql`wanted.id`)}
      union
      select tree.id, child.id from tree cross join lateral ${childrenOf(sql`tree.id`)})
    select parent, id from tree limit ${limit}`)

/** The given statuses that are not deleted. */
export const notDeletedMembers = (db: Reader, ids: readonly string[]): Promise<Member[]> =>
  db.rows(sql`select id, author_id, local from statuses where id = any(${bigints(ids)}) and deleted_at is null`)

/**
 * Query for the referenced statuses. Favourites of local accounts have no activity id; votes in remote polls are always
 * local. The limits make the planner look up each status in an index, however many rows a table has.
 */
export const referencedQuery = (ids: readonly string[]): Sql =>
  sql`select w.id::text as id from unnest(${bigints(ids)}) as w(id)
    where coalesce((select true from favourites f where f.status_id = w.id and f.uri is null limit 1), false)
      or coalesce((select true from statuses p join poll_votes v on v.poll_id = p.poll_id where p.id = w.id limit 1), false)
      or coalesce((select true from bookmarks b where b.status_id = w.id limit 1), false)
      or coalesce((select true from pins p where p.status_id = w.id limit 1), false)
      or coalesce((select true from scheduled_statuses d where d.params ->> 'in_reply_to_id' = w.id::text limit 1), false)
      or coalesce((select true from scheduled_statuses d where d.params ->> 'quoted_status_id' = w.id::text limit 1), false)
      or coalesce((select true from quotes q join statuses o on o.id = q.quoted_id
        where q.status_id = w.id and o.local limit 1), false)
      or coalesce((select true from replies r join statuses s on s.id = r.parent_id
        where r.child_id = w.id and s.local limit 1), false)
      or coalesce((select true from statuses s join statuses o on o.id = s.reblog_of_id
        where s.id = w.id and o.local limit 1), false)`

/** Statuses that are pinned, that local accounts interacted with, or that interact with a local status. */
export const referencedAmong = async (db: Reader, ids: readonly string[]): Promise<Set<string>> =>
  new Set((await db.rows<{ id: string }>(referencedQuery(ids))).map((row) => row.id))

/** Ids of the accounts that these statuses mention. */
export const mentionsIn = (db: Reader, ids: readonly string[]): Promise<{ status: string; account: string }[]> =>
  db.rows(sql`select status_id as status, account_id as account from mentions where status_id = any(${bigints(ids)})`)
