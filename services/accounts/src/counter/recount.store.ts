/** Compares stored counters of followers and followees with the number of follows, for operators. */
import { type Reader, sql, type Tx } from '@murmuration/db'

export interface Difference {
  id: string
  counter: 'followers' | 'following'
  counted: number
  kept: number
}

/** Locks the next page of counter rows until the transaction ends, and returns their account ids. */
export const lockCounters = async (tx: Tx, after: string, limit: number): Promise<string[]> =>
  (
    await tx.rows<{ id: string }>(sql`select account_id as id from account_stats where account_id > ${after}::bigint
      order by account_id limit ${limit} for update`)
  ).map((row) => row.id)

/**
 * Counters of the accounts in `ids` that differ from the number of follows. `kept`: the stored value; `counted`: the
 * number of follows.
 */
export const differences = (db: Reader, ids: readonly string[]): Promise<Difference[]> =>
  db.rows(sql`with real as (
      select p.*, (select count(*) from follows where target_id = p.account_id)::int as followers_real,
        (select count(*) from follows f where f.account_id = p.account_id)::int as following_real
      from account_stats p where p.account_id = any(${ids}::bigint[])
    )
    select account_id as id, counter, counted, kept from real
    cross join lateral (values ('followers', followers_real, followers_count),
      ('following', following_real, following_count)) as one(counter, counted, kept)
    where counted <> kept order by account_id, counter`)

/** Sets the counters of the accounts in `ids` to the number of follows. The caller has locked the rows. */
export const setCounters = async (tx: Tx, ids: readonly string[]): Promise<void> => {
  await tx.run(sql`update account_stats s set
      followers_count = (select count(*) from follows where target_id = s.account_id),
      following_count = (select count(*) from follows f where f.account_id = s.account_id)
    where s.account_id = any(${ids}::bigint[])`)
}
