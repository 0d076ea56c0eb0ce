/** Checks whether pages of a host may name an account as author (`attribution_domains`). */
import { type Reader, sql } from '@murmuration/db'

/**
 * Returns whether the account lists exactly the given host in `attribution_domains`. Subdomains do not match. A
 * suspended account lists no hosts.
 */
export const credits = async (db: Reader, id: string, host: string): Promise<boolean> =>
  (await db.row(sql`select 1 from accounts where id = ${id} and suspended_at is null
    and ${host}::text = any(attribution_domains)`)) !== null
