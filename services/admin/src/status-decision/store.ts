/** Stores the latest decision of staff about each status that it marked as sensitive. */
import { bigints, type Reader, sql, type Tx } from '@murmuration/db'

export interface StatusDecision {
  status_id: string
  /** Id of the strike that marked the status; null after the mark was undone. */
  strike_id: string | null
  sensitive: boolean
}

export const putStatusDecisions = (tx: Tx, rows: readonly StatusDecision[]): Promise<number> =>
  tx.run(sql`insert into status_decisions (status_id, strike_id, sensitive)
    select * from unnest(${rows.map((row) => row.status_id)}::bigint[], ${rows.map((row) => row.strike_id)}::bigint[],
      ${rows.map((row) => row.sensitive)}::boolean[])
    order by 1 on conflict (status_id) do update set strike_id = excluded.strike_id, sensitive = excluded.sensitive`)

export const statusDecisions = (db: Reader, ids: readonly string[]): Promise<StatusDecision[]> =>
  db.rows(sql`select status_id, strike_id, sensitive from status_decisions where status_id = any(${bigints(ids)})
    order by status_id`)

/** The latest decision about one status, locked until the transaction ends. */
export const lockStatusDecision = (tx: Tx, id: string): Promise<StatusDecision | null> =>
  tx.row(sql`select status_id, strike_id, sensitive from status_decisions where status_id = ${id} for update`)

/**
 * True while at least one status has the mark of this strike. Concurrent transactions that end marks of one strike run
 * this check one after the other, so that the last transaction gets false.
 */
export const hasMarks = async (tx: Tx, strike: string, ids: readonly string[]): Promise<boolean> => {
  await tx.run(sql`select pg_advisory_xact_lock(hashtextextended('marks ' || ${strike}::text, 0))`)
  const row = await tx.row(sql`select 1 from status_decisions
    where status_id = any(${bigints(ids)}) and strike_id = ${strike} and sensitive limit 1`)
  return row !== null
}

/** Ends the sensitivity marks of a strike. Returns the ids of the statuses that are no longer marked. */
export const endMarks = async (tx: Tx, strike: string, ids: readonly string[]): Promise<string[]> =>
  (
    await tx.rows<{ status_id: string }>(sql`update status_decisions set sensitive = false, strike_id = null
      where status_id = any(${bigints(ids)}) and strike_id = ${strike} and sensitive returning status_id`)
  ).map((row) => row.status_id)
