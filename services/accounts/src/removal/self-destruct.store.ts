/** Reads local accounts for the deletion of all accounts. */
import { type Reader, sql } from '@murmuration/db'
import type { Addressee } from '../mail/index.js'

export interface Holder extends Addressee {
  readonly account_id: string
  readonly uri: string
  /** Whether the e-mail address of the user is confirmed and the sign-up approved. */
  readonly used: boolean
}

/** Local accounts with a user after an account id. */
export const holdersAfter = (db: Reader, after: string, limit: number): Promise<Holder[]> =>
  db.rows(sql`select u.account_id, u.id as user_id, a.username, u.email, u.locale, a.uri,
      (u.confirmed_at is not null and u.approved) as used
    from users u join accounts a on a.id = u.account_id
    where u.account_id > ${after || '0'} and a.domain is null and a.removed_at is null
    order by u.account_id limit ${limit}`)

export const countHolders = async (db: Reader): Promise<number> =>
  (
    await db.row<{ n: number }>(sql`select count(*)::int as n from users u join accounts a on a.id = u.account_id
      where a.domain is null and a.removed_at is null`)
  )?.n ?? 0
