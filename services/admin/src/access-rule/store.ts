/** Counts the access rules of all kinds. */
import { type Reader, sql } from '@murmuration/db'

export const countAccessRules = async (db: Reader): Promise<number> =>
  (
    await db.row<{
      n: number
    }>(sql`select ((select count(*) from ip_blocks) + (select count(*) from email_domain_blocks)
      + (select count(*) from canonical_email_blocks) + (select count(*) from username_blocks))::int as n`)
  )?.n ?? 0
