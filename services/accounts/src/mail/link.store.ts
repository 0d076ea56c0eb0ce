/** Reads and writes one-time links in e-mails. */
import { type Reader, sql, type Tx } from '@murmuration/db'

export type LinkPurpose = 'confirm' | 'reset'

export const insertLink = async (
  tx: Tx,
  link: { hash: Buffer; userId: string; purpose: LinkPurpose; email: string | null; expiresAt: Date },
): Promise<void> => {
  await tx.run(sql`insert into mail_links (hash, user_id, purpose, email, expires_at)
    values (${link.hash}, ${link.userId}, ${link.purpose}, ${link.email}, ${link.expiresAt})`)
}

/**
 * Deletes a link and returns its user; null if the link is unknown, used or expired. Of concurrent calls with one link, only one
 * returns the user (F066).
 */
export const takeLink = (
  tx: Tx,
  hash: Buffer,
  purpose: LinkPurpose,
  at: Date,
): Promise<{ user_id: string; email: string | null } | null> =>
  tx.row(sql`delete from mail_links where hash = ${hash} and purpose = ${purpose} and expires_at > ${at}
    returning user_id, email`)

/** The user of a link that is still valid, else null. */
export const userOfLink = async (db: Reader, hash: Buffer, purpose: LinkPurpose, at: Date): Promise<string | null> =>
  (
    await db.row<{ user_id: string }>(sql`select user_id from mail_links
      where hash = ${hash} and purpose = ${purpose} and expires_at > ${at}`)
  )?.user_id ?? null

/** The digest among `hashes` that belongs to a link that is still valid, else null. */
export const validLinkAmong = async (
  db: Reader,
  hashes: readonly Buffer[],
  purpose: LinkPurpose,
  at: Date,
): Promise<Buffer | null> =>
  (
    await db.row<{ hash: Buffer }>(sql`select hash from mail_links
      where hash = any(${hashes}::bytea[]) and purpose = ${purpose} and expires_at > ${at} limit 1`)
  )?.hash ?? null

/** Deletes the one-time links of a user for `purposes`, so that the links no longer work. */
export const dropLinks = async (tx: Tx, userId: string, purposes: readonly LinkPurpose[]): Promise<void> => {
  await tx.run(sql`delete from mail_links where user_id = ${userId} and purpose = any(${purposes}::text[])`)
}

/** Deletes links that expired before the time `before`, at most 1,000 per call. */
export const deleteOldLinks = (db: Reader, before: Date): Promise<number> =>
  db.run(sql`delete from mail_links where hash in
    (select hash from mail_links where expires_at < ${before} limit 1000)`)
