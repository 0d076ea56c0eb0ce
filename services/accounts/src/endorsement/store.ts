/** Reads and writes endorsements: accounts that an account features on its profile. */
import { type Cursor, keyset, type Reader, sql, type Tx } from '@murmuration/db'
import type { AccountOfPage } from '../core/follow/page.store.js'
import type { Pair } from '../core/follow/store.js'

/** Stores an endorsement of a followed account; false if the account is not followed. Repetition changes nothing. */
export const putEndorsement = async (tx: Tx, pair: Pair, at: Date): Promise<boolean> => {
  const row = await tx.row<{ followed: boolean }>(sql`with followed as (
      select 1 from follows where account_id = ${pair.from} and target_id = ${pair.to}),
    stored as (insert into endorsements (account_id, target_id, created_at)
      select ${pair.from}::bigint, ${pair.to}::bigint, ${at}::timestamptz from followed on conflict do nothing)
    select exists (select 1 from followed) as followed`)
  return row?.followed ?? false
}

export const deleteEndorsement = (tx: Tx, pair: Pair): Promise<number> =>
  tx.run(sql`delete from endorsements where account_id = ${pair.from} and target_id = ${pair.to}`)

/** Accounts that an account features on its profile, newest account first. The cursor is the account id. */
export const endorsedBy = (db: Reader, id: string, page: Cursor): Promise<AccountOfPage[]> =>
  db.rows(sql`select e.target_id as cursor, e.target_id as account_id from endorsements e
    join accounts a on a.id = e.target_id
    where e.account_id = ${id} and a.suspended_at is null ${keyset(sql`e.target_id`, page)}`)
