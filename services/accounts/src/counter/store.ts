/** Updates counters of accounts. A counter changes in the transaction of the rows that it counts. */
import { bigints, sql, type Tx } from '@murmuration/db'

export interface CounterMove {
  id: string
  followers?: number
  following?: number
  statuses?: number
  /** Creation time of the newest status that is counted. */
  statusAt?: Date
}

export interface Counters {
  id: string
  followers_count: number
  following_count: number
}

/**
 * Adds to counters, one row per account. Rows are locked in the order of ids, so that concurrent calls do not deadlock.
 * Because events may arrive out of order, a counter may be below zero for a short time. Readers replace a negative
 * counter by zero.
 */
export const moveCounters = (tx: Tx, moves: readonly CounterMove[]): Promise<Counters[]> =>
  tx.rows(sql`with locked as (
      select account_id from account_stats where account_id = any(${bigints(moves.map((one) => one.id))})
      order by account_id for update)
    update account_stats s set
      followers_count = s.followers_count + m.followers,
      following_count = s.following_count + m.following,
      statuses_count = s.statuses_count + m.statuses,
      last_status_at = greatest(s.last_status_at, m.status_at)
    from unnest(${moves.map((one) => one.id)}::bigint[], ${moves.map((one) => one.followers ?? 0)}::int[],
      ${moves.map((one) => one.following ?? 0)}::int[], ${moves.map((one) => one.statuses ?? 0)}::int[],
      ${moves.map((one) => one.statusAt ?? null)}::timestamptz[]) as m(id, followers, following, statuses, status_at)
    join locked on locked.account_id = m.id
    where s.account_id = m.id
    returning s.account_id as id, s.followers_count, s.following_count`)
