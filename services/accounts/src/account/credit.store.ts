/** The web sites that an account lets name it as an author. */
import { type Reader, sql } from '@murmuration/db'

/** True when the account names exactly this host. */
export const credits = async (db: Reader, id: string, host: string): Promise<boolean> =>
  (await db.row(sql`select 1 from accounts where id = ${id} and suspended_at is null
    and ${host}::text = any(attribution_domains)`)) !== null
