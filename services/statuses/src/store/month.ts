/** Months of statuses as partitions. */
import { type Reader, sql } from '@murmuration/db'

/** Makes the partitions of this month and the next ones that are missing; gives how many were made. */
export const ensureMonths = async (db: Reader, from: Date, ahead: number): Promise<number> =>
  (
    await db.row<{ made: number }>(sql`select count(*) filter (where ensure_month(
        (${from}::timestamptz at time zone 'UTC')::date + make_interval(months => step)::interval))::int as made
      from generate_series(0, ${ahead}::int) as step`)
  )?.made ?? 0
