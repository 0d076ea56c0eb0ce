/** Reads the size and the version of the database, for the dashboard. */
import { type Reader, sql } from '@murmuration/db'

/** Size in bytes as decimal digits, and version, of the PostgreSQL database. */
export const databaseState = async (db: Reader): Promise<{ bytes: string; version: string }> =>
  (await db.row<{ bytes: string; version: string }>(sql`select pg_database_size(current_database())::text as bytes,
    split_part(current_setting('server_version'), ' ', 1) as version`)) ?? { bytes: '0', version: '' }
