/** Reads and writes backup codes, which are found by digest. */
import { type Reader, sql, type Tx } from '@murmuration/db'

export const countBackupCodes = async (db: Reader, userId: string): Promise<number> =>
  (await db.row<{ count: number }>(sql`select count(*)::int as count from backup_codes where user_id = ${userId}`))
    ?.count ?? 0

/** Replaces all codes of a user. Without `hashes`, the codes are removed. */
export const replaceBackupCodes = async (tx: Tx, userId: string, hashes: readonly Buffer[]): Promise<void> => {
  await tx.run(sql`delete from backup_codes where user_id = ${userId}`)
  if (hashes.length)
    await tx.run(sql`insert into backup_codes (user_id, hash) select ${userId}, unnest(${hashes}::bytea[])`)
}

/** Deletes a code; false if it does not exist. Of concurrent calls with one backup code, only one returns true. */
export const takeBackupCode = async (tx: Tx, userId: string, hash: Buffer): Promise<boolean> =>
  (await tx.run(sql`delete from backup_codes where user_id = ${userId} and hash = ${hash}`)) === 1
