/** SQL of threads: replies, awaited remote parents, conversations and conversation mutes. */
import { type Reader, sql, type Tx } from '@murmuration/db'
import { forFollowersAlone, visibleTo } from '../visibility/store.js'
import { type ReplyEdge, treeOrder, untilRepeated } from './rules.js'

export const linkReply = (tx: Tx, parent: string, child: string): Promise<number> =>
  tx.run(sql`insert into replies (parent_id, child_id) values (${parent}, ${child}) on conflict do nothing`)

/** Stores that a reply waits for the parent with this uri. Returns true if no other reply waits for this parent. */
export const awaitParent = async (tx: Tx, uri: string, child: string): Promise<boolean> => {
  const row = await tx.row<{ first: boolean }>(sql`with put as (
      insert into awaited_parents (uri, child_id) values (${uri}, ${child}) on conflict do nothing)
    select not exists (select 1 from awaited_parents where uri = ${uri}) as first`)
  return row?.first ?? true
}

/** Maximum number of waiting replies that one transaction links to their parent. */
export const MAX_LINKED = 200

/** Deletes and returns replies that wait for the parent with this uri, at most `MAX_LINKED`. */
export const takeAwaiting = async (tx: Tx, uri: string): Promise<string[]> =>
  (
    await tx.rows<{ child_id: string }>(sql`delete from awaited_parents where ctid in (
      select ctid from awaited_parents where uri = ${uri} limit ${MAX_LINKED}) returning child_id`)
  ).map((row) => row.child_id)

/** A parent that was stored after its replies. */
export interface LateParent {
  id: string
  author_id: string
  /** Account that the parent itself replies to; null if the parent is no reply. */
  in_reply_to_account_id?: string | null
  conversation_id: string
}

/** Sets the parent of replies that waited for it, and the columns of the replies that follow from the parent. */
export const setParent = async (tx: Tx, parent: LateParent, children: readonly string[]): Promise<void> => {
  if (children.length === 0) return
  const { author_id: author } = parent
  const parentAuthor = sql`case when author_id = ${author}::bigint
    then coalesce(${parent.in_reply_to_account_id ?? null}::bigint, ${author}::bigint) else ${author}::bigint end`
  await tx.run(sql`update statuses set in_reply_to_id = ${parent.id}, in_reply_to_author_id = ${author},
      in_reply_to_account_id = ${parentAuthor}, listed = (visibility = 0 and reblog_of_id is null and author_id = ${parentAuthor}),
      conversation_id = ${parent.conversation_id}, rev = rev + 1
    where id = any(${children}::bigint[]) and in_reply_to_id is null`)
  await tx.run(sql`insert into replies (parent_id, child_id)
    select ${parent.id}::bigint, child_id from unnest(${children}::bigint[]) as one(child_id)
    order by child_id on conflict do nothing`)
}

/** Returns ids of linked replies that followers may see, published since `since`. */
export const recentAmong = async (db: Reader, ids: readonly string[], since: Date): Promise<string[]> =>
  ids.length === 0
    ? []
    : (
        await db.rows<{ id: string }>(sql`select id from statuses where id = any(${ids}::bigint[])
          and visibility <= 2 and deleted_at is null and created_at >= ${since} order by id`)
      ).map((row) => row.id)

/** A status of a thread. */
export interface InThread {
  id: string
  author: string
  /** True for a reply that the viewer may see only as a follower of its author. */
  followersOnly: boolean
}

/**
 * Bytes of the texts of a status. PostgreSQL knows the length without reading texts that are stored outside the row.
 */
const textBytes = sql`octet_length(s.html) + octet_length(s.text) + octet_length(s.spoiler_text)`

/**
 * Ancestors of a status, nearest first, at most `limit`, with their authors and the bytes of their texts. A deleted ancestor is included and ends the
 * walk. Cycles are cut. Each step reads one row by its id, because a join may read every status at each step.
 */
export const ancestorsOf = async (
  db: Reader,
  id: string,
  limit: number,
): Promise<{ id: string; author: string | null; bytes: number }[]> => {
  // Each row of the walk has the bytes of the status before it.
  const rows = await db.rows<{ id: string; author: string | null; bytes: number }>(sql`with recursive up as (
      select array[s.in_reply_to_id, s.in_reply_to_author_id, 0] as parent, 1 as depth from statuses s where s.id = ${id}
      union all
      select (select array[s.in_reply_to_id, s.in_reply_to_author_id, ${textBytes}] from statuses s
        where s.id = up.parent[1] and s.deleted_at is null), up.depth + 1
      from up where up.parent[1] is not null and up.depth < ${limit}::int
    ) select parent[1] as id, parent[2] as author, coalesce(next, 0)::int as bytes
    from (select parent, depth, lead(parent[3]) over (order by depth) as next from up) walked
    where parent[1] is not null order by depth`)
  const ids = untilRepeated(
    id,
    rows.map((row) => row.id),
  )
  return rows.slice(0, ids.length)
}

/**
 * Maximum number of replies that are read for one page or thread. It bounds the cost for statuses with very many replies.
 */
const MAX_LOOKED_AT = 5_000
/** Maximum number of levels of replies that are read. */
const MAX_DEPTH = 10_000

/**
 * Descendants of a status in tree order, at most `limit`, up to `depth` (null: 10,000), with the
 * bytes of their texts. The query reads level by level.
 * It reads at most five times `limit` replies. If hidden ones among them displace visible ones, a second query reads up
 * to `MAX_LOOKED_AT`. The query returns no paths, because their size grows with the square of the depth.
 */
export const descendantsOf = async (
  db: Reader,
  viewer: string | null,
  id: string,
  limit: number,
  depth: number | null,
): Promise<(InThread & { bytes: number })[]> => {
  const first = await repliesBelow(db, viewer, id, { limit: limit * 5, depth })
  const isCut = first.length === limit * 5 && first.filter((edge) => edge.shown).length < limit
  const edges = isCut ? await repliesBelow(db, viewer, id, { limit: MAX_LOOKED_AT, depth }) : first
  const byId = new Map(edges.map((edge) => [edge.id, edge]))
  return treeOrder(id, edges)
    .slice(0, limit)
    .flatMap((one) => byId.get(one) ?? [])
}

/** Replies below a status with their parents, level by level, and whether the viewer may see them. */
const repliesBelow = (
  db: Reader,
  viewer: string | null,
  id: string,
  { limit, depth }: { limit: number; depth: number | null },
): Promise<(ReplyEdge & InThread & { bytes: number })[]> =>
  db.rows(sql`with recursive down as (
      select r.parent_id, r.child_id, 1 as depth from replies r where r.parent_id = ${id}
      union all
      select r.parent_id, r.child_id, down.depth + 1 from down
      join replies r on r.parent_id = down.child_id
      where down.depth < ${depth ?? MAX_DEPTH}::int
    )
    select down.parent_id as parent, down.child_id as id, coalesce(s.shown, false) as shown, s.author,
      coalesce(s.followers_only, false) as "followersOnly", coalesce(s.bytes, 0)::int as bytes
    from (select * from down limit ${limit}) down
    left join lateral (select true as shown, s.author_id as author, ${forFollowersAlone(viewer)} as followers_only, ${textBytes} as bytes
      from statuses s where s.id = down.child_id and s.deleted_at is null
      and ${visibleTo(viewer)}) s on true
    order by down.child_id`)

export interface OpenReply {
  id: string
  uri: string
  local: boolean
  author: string
}

/**
 * Public and unlisted replies to a status, oldest first. `own`: by the author of the status, else by others. `next` is
 * the id after which to continue; null at the end. A page may be short without being the last.
 */
export const openReplies = async (
  db: Reader,
  status: string,
  page: { author: string; own: boolean; after: string | undefined; limit: number },
): Promise<{ replies: OpenReply[]; next: string | null }> => {
  const rows = await db.rows<{ looked: number; last: string | null } & { [K in keyof OpenReply]: OpenReply[K] | null }>(
    sql`with looked as materialized (
        select child_id from replies where parent_id = ${status} and child_id > ${page.after ?? '0'}::bigint
        order by child_id limit ${MAX_LOOKED_AT}), found as (
        select s.id, s.uri, s.local, s.author_id as author from looked r
        join statuses s on s.id = r.child_id
        where s.deleted_at is null and ${visibleTo(null)} and (s.author_id = ${page.author}::bigint) = ${page.own}
        order by s.id limit ${page.limit})
      select looks.n as looked, looks.last, found.* from (select count(*)::int as n, max(child_id) as last from looked) looks
      left join found on true order by found.id`,
  )
  const replies = rows.flatMap(({ id, uri, local, author }) =>
    id === null || uri === null || local === null || author === null ? [] : [{ id, uri, local, author }],
  )
  const [looks] = rows
  const cut = (looks?.looked ?? 0) >= MAX_LOOKED_AT ? (looks?.last ?? null) : null
  return { replies, next: replies.length >= page.limit ? (replies.at(-1)?.id ?? null) : cut }
}

/** Maximum number of replies to one status that are searched for replies by its own author. */
const MAX_INSIDE = 200

export interface OwnReplies {
  /** Addresses of the first five replies by the author of the status. */
  uris: string[]
  /** True if the author may have written further replies. */
  more: boolean
}

/**
 * The first five public or unlisted replies by the author of each status. Statuses without replies are missing. The
 * subselect around the ids keeps PostgreSQL from planning the statement again for each list length.
 */
export const ownReplies = async (db: Reader, statuses: readonly string[]): Promise<Map<string, OwnReplies>> => {
  if (statuses.length === 0) return new Map()
  const rows = await db.rows<{ id: string; uris: string[]; looked: number }>(sql`select p.id, own.uris, own.looked
    from statuses p cross join lateral (
      with looked as materialized (select child_id from replies where parent_id = p.id order by child_id limit ${MAX_INSIDE})
      select (select count(*)::int from looked) as looked, coalesce(array_agg(s.uri order by s.id), '{}') as uris
      from (select s.id, s.uri from looked r join statuses s on s.id = r.child_id
        where s.author_id = p.author_id and s.deleted_at is null and ${visibleTo(null)} order by s.id limit 5) s) own
    where p.id = any((select ${statuses}::bigint[])::bigint[]) and own.looked > 0`)
  return new Map(rows.map(({ id, uris, looked }) => [id, { uris, more: uris.length === 5 || looked === MAX_INSIDE }]))
}

/** Conversation id for a thread uri of another server. Stores `freshId` if the uri is new. */
export const conversationOf = async (tx: Tx, uri: string, freshId: string): Promise<string> => {
  const row = await tx.row<{ conversation_id: string }>(sql`insert into conversation_uris (uri, conversation_id)
    values (${uri}, ${freshId}) on conflict (uri) do update set uri = excluded.uri returning conversation_id`)
  return row?.conversation_id ?? freshId
}

export const muteConversation = (tx: Tx, account: string, conversation: string): Promise<number> =>
  tx.run(sql`insert into conversation_mutes (account_id, conversation_id) values (${account}, ${conversation})
    on conflict do nothing`)

export const unmuteConversation = (tx: Tx, account: string, conversation: string): Promise<number> =>
  tx.run(sql`delete from conversation_mutes where account_id = ${account} and conversation_id = ${conversation}`)
