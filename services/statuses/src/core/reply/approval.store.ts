/** SQL of reply approvals: approvals by remote authors of local replies, and those that remote replies claim. */
import { bigints, type Reader, sql, type Tx } from '@murmuration/db'
import { checkOrder, parentId } from '../older-table-names.store.js'

/** Stores the approval of a reply; null as `uri` deletes it. Returns false if nothing changed. */
export const putApproval = async (tx: Tx, status: string, uri: string | null): Promise<boolean> => {
  if (uri === null) return (await deleteApprovals(tx, [status])) > 0
  const noted = await tx.run(sql`insert into reply_approvals (status_id, uri) values (${status}, ${uri})
    on conflict (status_id) do update set uri = excluded.uri where reply_approvals.uri <> excluded.uri`)
  return noted > 0
}

/** Maximum number of unproved claims for one status that are read to compute `checkOrder`. */
const MAX_COUNTED = 500

/**
 * Stores the approval that a remote reply claims, as not proved. The column `checkOrder` sets the order of checks. Its first
 * value is the number of unproved claims of replies from the same host to the same parent.
 */
export const claimApproval = (tx: Tx, status: string, uri: string): Promise<number> =>
  tx.run(sql`insert into reply_approvals (status_id, uri, proved_at, ${parentId}, host, ${checkOrder})
    select s.id, ${uri}, null, s.in_reply_to_id, split_part(s.uri, '/', 3),
      (select count(*) from (select host from reply_approvals where ${parentId} = s.in_reply_to_id and proved_at is null
        order by ${checkOrder} limit ${MAX_COUNTED}) waiting where host = split_part(s.uri, '/', 3))
    from statuses s where s.id = ${status}
    on conflict (status_id) do update set uri = excluded.uri, proved_at = null, host = excluded.host,
      ${parentId} = coalesce(excluded.${parentId}, reply_approvals.${parentId})`)

/** Sets host and parent of at most `limit` approvals that lack a host. Approvals of local replies get an empty host. */
export const linkApprovals = (tx: Tx, limit: number): Promise<number> =>
  tx.run(sql`update reply_approvals a set host = case when s.local then '' else coalesce(split_part(s.uri, '/', 3), '') end,
      ${parentId} = case when s.local then a.${parentId} else coalesce(s.in_reply_to_id, a.${parentId}) end
    from (select status_id from reply_approvals where host is null order by status_id limit ${limit} for update skip locked) unplaced
    left join statuses s on s.id = unplaced.status_id
    where a.status_id = unplaced.status_id`)

/** Links approvals of replies that arrived before their parent to the parent. */
export const linkApprovalsToParent = async (tx: Tx, parent: string, replies: readonly string[]): Promise<void> => {
  if (replies.length === 0) return
  await tx.run(sql`update reply_approvals a set ${parentId} = ${parent}, ${checkOrder} = mine.position from (
      select status_id, row_number() over (partition by host order by status_id) - 1 as position from reply_approvals
      where status_id = any(${replies}::bigint[]) and host <> '') mine
    where a.status_id = mine.status_id`)
}

/** Stores when the approval was proved; null if it must be proved again. */
export const setProved = (tx: Tx, status: string, at: Date | null): Promise<number> =>
  tx.run(sql`update reply_approvals set proved_at = ${at}::timestamptz, ${checkOrder} = case when ${at}::timestamptz is null then ${checkOrder} else 0 end
    where status_id = ${status}`)

export interface Approval {
  uri: string
  /** Time of the last proof of the approval; null if it is not proved. */
  proved_at: Date | null
}

export const approvalOf = (db: Reader, status: string): Promise<Approval | null> =>
  db.row(sql`select uri, proved_at from reply_approvals where status_id = ${status}`)

/** Addresses of approvals by id of the reply. */
export const approvalsOf = async (db: Reader, ids: readonly string[]): Promise<Map<string, string>> => {
  if (ids.length === 0) return new Map()
  const rows = await db.rows<{ status_id: string; uri: string }>(
    sql`select status_id, uri from reply_approvals where status_id = any(${bigints(ids)})`,
  )
  return new Map(rows.map((row) => [row.status_id, row.uri]))
}

/**
 * `MAX_AT_ONCE`: maximum number of approvals that one call selects for a new check, for one status and its replies.
 * `MAX_PROVED`: maximum number of these that are approvals of replies and were proved before.
 */
const MAX_AT_ONCE = 20
const MAX_PROVED = 15

/**
 * Selects the approvals of a remote status and of its replies that were not proved since `since`, at most 20. Returns
 * the ids of their statuses. Approvals that were proved before are first, then those with the lowest `checkOrder`. Each selection
 * increments `checkOrder`, so that later calls select the approvals of other replies and other hosts first.
 */
export const takeApprovals = async (tx: Tx, status: string, since: Date): Promise<string[]> =>
  (
    await tx.rows<{ id: string }>(sql`with due as (
        select status_id, proved_at is null as claimed, -1 as position from reply_approvals
          where status_id = ${status} and host <> '' and (proved_at is null or proved_at < ${since})
        union all
        (select status_id, false, ${checkOrder} from reply_approvals
          where ${parentId} = ${status} and proved_at is not null and proved_at < ${since}
          order by ${checkOrder}, status_id limit ${MAX_PROVED})
        union all
        (select status_id, true, ${checkOrder} from reply_approvals where ${parentId} = ${status} and proved_at is null
          order by ${checkOrder}, status_id limit ${MAX_AT_ONCE})
      ), taken as (select * from due order by claimed, position, status_id limit ${MAX_AT_ONCE}),
      put as (update reply_approvals a set ${checkOrder} = a.${checkOrder} + 1 from taken where a.status_id = taken.status_id)
      select status_id as id from taken order by claimed, position, status_id`)
  ).map((row) => row.id)

/**
 * Maximum number of replies with one approval. An author issues one approval per reply; other replies can only claim
 * it.
 */
const MAX_NAMING = 100

/** Replies to an author that have or claim this approval, proved ones first. Deleted replies are excluded. */
export const repliesByApproval = async (db: Reader, uri: string, parentAuthor: string): Promise<string[]> =>
  (
    await db.rows<{ id: string }>(sql`select s.id from reply_approvals a join statuses s on s.id = a.status_id
      where a.uri = ${uri} and s.in_reply_to_author_id = ${parentAuthor} and s.deleted_at is null
      order by a.proved_at, s.id limit ${MAX_NAMING}`)
  ).map((row) => row.id)

/**
 * Deletes the approval with this URI from these replies. Returns the ids of the replies that had it. A reply that is
 * not returned has another approval by now, or none.
 */
export const deleteApproval = async (tx: Tx, ids: readonly string[], uri: string): Promise<string[]> =>
  (
    await tx.rows<{ status_id: string }>(
      sql`delete from reply_approvals where status_id = any(${ids}::bigint[]) and uri = ${uri} returning status_id`,
    )
  ).map((row) => row.status_id)

export const deleteApprovals = (tx: Tx, ids: readonly string[]): Promise<number> =>
  tx.run(sql`delete from reply_approvals where status_id = any(${ids}::bigint[])`)
