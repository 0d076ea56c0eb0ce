/** Letters: mails about logins, kept until notifications sent them. */
import type { LetterKind } from '@murmuration/contracts/accounts'
import { type Reader, sql, type Tx } from '@murmuration/db'

export interface LetterRow {
  id: string
  kind: LetterKind
  user_id: string
  address: string
  locale: string
  username: string
  nonce: Buffer | null
  facts: Record<string, string>
  created_at: Date
}

export const insertLetter = async (tx: Tx, letter: LetterRow): Promise<void> => {
  await tx.run(sql`insert into letters
    (id, kind, user_id, address, locale, username, nonce, facts, created_at)
    values (${letter.id}, ${letter.kind}, ${letter.user_id}, ${letter.address}, ${letter.locale}, ${letter.username},
      ${letter.nonce}, ${JSON.stringify(letter.facts)}::jsonb, ${letter.created_at})`)
}

export const letterById = (db: Reader, id: string): Promise<LetterRow | null> =>
  db.row(sql`select id, kind, user_id, address, locale, username, nonce, facts, created_at
    from letters where id = ${id}`)

/** How many letters of these kinds a person was written since then. */
export const countLetters = async (
  db: Reader,
  userId: string,
  kinds: readonly LetterKind[],
  since: Date,
): Promise<number> =>
  (
    await db.row<{ count: number }>(sql`select count(*)::int as count from letters
      where user_id = ${userId} and kind = any(${kinds}::text[]) and created_at > ${since}`)
  )?.count ?? 0

/** Deletes letters from before this time, at most 1,000. */
export const deleteOldLetters = (db: Reader, before: Date): Promise<number> =>
  db.run(sql`delete from letters where id in (select id from letters where created_at < ${before} limit 1000)`)
