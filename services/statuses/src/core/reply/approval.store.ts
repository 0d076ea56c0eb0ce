/** Approvals that authors elsewhere gave to answers of people here, and those that answers of other servers name. */
import { bigints, type Reader, sql, type Tx } from '@murmuration/db'

/** Notes the approval of an answer, or that there is none; false when it stood so already. */
export const putApproval = async (tx: Tx, status: string, uri: string | null): Promise<boolean> => {
  if (uri === null) return (await deleteApprovals(tx, [status])) > 0
  const noted = await tx.run(sql`insert into reply_approvals (status_id, uri) values (${status}, ${uri})
    on conflict (status_id) do update set uri = excluded.uri where reply_approvals.uri <> excluded.uri`)
  return noted > 0
}

/** Claims of one status that are looked at for how many of a server wait. */
const MOST_COUNTED = 500

/** Notes which approval an answer of another server names; nobody has read it yet. */
export const claimApproval = (tx: Tx, status: string, uri: string): Promise<number> =>
  tx.run(sql`insert into reply_approvals (status_id, uri, proved_at, answered_id, host, turn)
    select s.id, ${uri}, null, s.in_reply_to_id, split_part(s.uri, '/', 3),
      (select count(*) from (select host from reply_approvals where answered_id = s.in_reply_to_id and proved_at is null
        order by turn limit ${MOST_COUNTED}) waiting where host = split_part(s.uri, '/', 3))
    from statuses s where s.id = ${status}
    on conflict (status_id) do update set uri = excluded.uri, proved_at = null, host = excluded.host,
      answered_id = coalesce(excluded.answered_id, reply_approvals.answered_id)`)

/** Notes of so many approvals without a host whose answers they are for: of other servers', and of people here as empty. */
export const placeApprovals = (tx: Tx, most: number): Promise<number> =>
  tx.run(sql`update reply_approvals a set host = case when s.local then '' else coalesce(split_part(s.uri, '/', 3), '') end,
      answered_id = case when s.local then a.answered_id else coalesce(s.in_reply_to_id, a.answered_id) end
    from (select status_id from reply_approvals where host is null order by status_id limit ${most} for update skip locked) unplaced
    left join statuses s on s.id = unplaced.status_id
    where a.status_id = unplaced.status_id`)

/** Links approvals of replies that arrived before their parent to the parent. */
export const adoptApprovals = async (tx: Tx, answered: string, answers: readonly string[]): Promise<void> => {
  if (answers.length === 0) return
  await tx.run(sql`update reply_approvals a set answered_id = ${answered}, turn = mine.turn from (
      select status_id, row_number() over (partition by host order by status_id) - 1 as turn from reply_approvals
      where status_id = any(${answers}::bigint[]) and host <> '') mine
    where a.status_id = mine.status_id`)
}

/** The approval was read at its address at this moment; null when it is to be read before it counts again. */
export const setProved = (tx: Tx, status: string, at: Date | null): Promise<number> =>
  tx.run(sql`update reply_approvals set proved_at = ${at}::timestamptz, turn = case when ${at}::timestamptz is null then turn else 0 end
    where status_id = ${status}`)

export interface Approval {
  uri: string
  /** Null when nobody has read it yet. */
  proved_at: Date | null
}

export const approvalOf = (db: Reader, status: string): Promise<Approval | null> =>
  db.row(sql`select uri, proved_at from reply_approvals where status_id = ${status}`)

/** Addresses of approvals by answer. */
export const approvalsOf = async (db: Reader, ids: readonly string[]): Promise<Map<string, string>> => {
  if (ids.length === 0) return new Map()
  const rows = await db.rows<{ status_id: string; uri: string }>(
    sql`select status_id, uri from reply_approvals where status_id = any(${bigints(ids)})`,
  )
  return new Map(rows.map((row) => [row.status_id, row.uri]))
}

/** Approvals that are read again at once for one status, and of them those that were proved before. */
const MOST_AT_ONCE = 20
const MOST_PROVED = 15

/**
 * Takes approvals of a remote status and of replies to it that were not read since a moment, those proved before first.
 * A taken approval waits for the others, of its server and then of all, until it is its turn again.
 */
export const takeApprovals = async (tx: Tx, status: string, since: Date): Promise<string[]> =>
  (
    await tx.rows<{ id: string }>(sql`with due as (
        select status_id, proved_at is null as claimed, -1 as turn from reply_approvals
          where status_id = ${status} and host <> '' and (proved_at is null or proved_at < ${since})
        union all
        (select status_id, false, turn from reply_approvals
          where answered_id = ${status} and proved_at is not null and proved_at < ${since}
          order by turn, status_id limit ${MOST_PROVED})
        union all
        (select status_id, true, turn from reply_approvals where answered_id = ${status} and proved_at is null
          order by turn, status_id limit ${MOST_AT_ONCE})
      ), taken as (select * from due order by claimed, turn, status_id limit ${MOST_AT_ONCE}),
      put as (update reply_approvals a set turn = a.turn + 1 from taken where a.status_id = taken.status_id)
      select status_id as id from taken order by claimed, turn, status_id`)
  ).map((row) => row.id)

/** An author gives each answer an approval of its own; others may only name it. */
const MOST_NAMING = 100

/** Living answers to one author that have this approval, or name it: those first for which it was proved. */
export const repliesByApproval = async (db: Reader, uri: string, answered: string): Promise<string[]> =>
  (
    await db.rows<{ id: string }>(sql`select s.id from reply_approvals a join statuses s on s.id = a.status_id
      where a.uri = ${uri} and s.in_reply_to_author_id = ${answered} and s.deleted_at is null
      order by a.proved_at, s.id limit ${MOST_NAMING}`)
  ).map((row) => row.id)

/** Gives those that had it; the others have another approval by now. */
export const deleteApproval = async (tx: Tx, ids: readonly string[], uri: string): Promise<string[]> =>
  (
    await tx.rows<{ status_id: string }>(
      sql`delete from reply_approvals where status_id = any(${ids}::bigint[]) and uri = ${uri} returning status_id`,
    )
  ).map((row) => row.status_id)

export const deleteApprovals = (tx: Tx, ids: readonly string[]): Promise<number> =>
  tx.run(sql`delete from reply_approvals where status_id = any(${ids}::bigint[])`)
