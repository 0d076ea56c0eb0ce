/** Records deleted local accounts, and checks whether an account is recorded (table `gone_actors`). */
import { type Reader, sql, type Tx } from '@murmuration/db'

export const recordGone = (tx: Tx, it: { accountId: string; uri: string }): Promise<number> =>
  tx.run(sql`insert into gone_actors (account_id, uri) values (${it.accountId}, ${it.uri}) on conflict do nothing`)

export const isGone = async (db: Reader, accountId: string): Promise<boolean> =>
  (await db.row(sql`select 1 from gone_actors where account_id = ${accountId}`)) !== null
