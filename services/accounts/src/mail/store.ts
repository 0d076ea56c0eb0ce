/** Reads and writes login e-mails. An e-mail is deleted some time after the notifications service sent it. */
import type { LoginMailKind } from '@murmuration/contracts/accounts'
import { olderNames } from '@murmuration/contracts/kit'
import { name, type Reader, sql, type Tx } from '@murmuration/db'

/** Table of login e-mails. The table has the name of an earlier term. */
const loginMails = sql`letters`
/** Column with the values for the texts of an e-mail. */
const valuesColumn = name(olderNames.mailValues)

export interface MailRow {
  id: string
  kind: LoginMailKind
  user_id: string
  address: string
  locale: string
  username: string
  nonce: Buffer | null
  values: Record<string, string>
  created_at: Date
}

export const insertMails = async (tx: Tx, mails: readonly MailRow[]): Promise<void> => {
  const each = <K extends keyof MailRow>(name: K): MailRow[K][] => mails.map((one) => one[name])
  await tx.run(sql`insert into ${loginMails} (id, kind, user_id, address, locale, username, nonce, ${valuesColumn}, created_at)
    select * from unnest(${each('id')}::bigint[], ${each('kind')}::text[], ${each('user_id')}::bigint[],
      ${each('address')}::text[], ${each('locale')}::text[], ${each('username')}::text[], ${each('nonce')}::bytea[],
      ${mails.map((one) => JSON.stringify(one.values))}::jsonb[], ${each('created_at')}::timestamptz[])`)
}

export const mailById = (db: Reader, id: string): Promise<MailRow | null> =>
  db.row(sql`select id, kind, user_id, address, locale, username, nonce, ${valuesColumn} as values, created_at
    from ${loginMails} where id = ${id}`)

/** Number of e-mails of the given kinds that were created for the user after `since`. */
export const countMails = async (
  db: Reader,
  userId: string,
  kinds: readonly LoginMailKind[],
  since: Date,
): Promise<number> =>
  (
    await db.row<{ count: number }>(sql`select count(*)::int as count from ${loginMails}
      where user_id = ${userId} and kind = any(${kinds}::text[]) and created_at > ${since}`)
  )?.count ?? 0

/** Deletes e-mails created before the time `before`, at most 1,000 per call. */
export const deleteOldMails = (db: Reader, before: Date): Promise<number> =>
  db.run(
    sql`delete from ${loginMails} where id in (select id from ${loginMails} where created_at < ${before} limit 1000)`,
  )
