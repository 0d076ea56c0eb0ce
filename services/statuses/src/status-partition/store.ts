/**
 * SQL of the partitions of the table `statuses`: one per month, and the default partition for rows of months that have
 * none.
 */
import { type Database, type Reader, sql } from '@murmuration/db'

/**
 * Creates the missing partitions of the month of `from` and of the `ahead` months after it. Returns the number of
 * created partitions.
 */
export const ensureMonths = async (db: Reader, from: Date, ahead: number): Promise<number> =>
  (
    await db.row<{ made: number }>(sql`select count(*) filter (where ensure_month(
        ((${from}::timestamptz at time zone 'UTC')::date + make_interval(months => step))::date))::int as made
      from generate_series(0, ${ahead}::int) as step`)
  )?.made ?? 0

/** Rows of the default partition, counted up to `bound`. */
export const countDefaultRows = async (db: Reader, bound: number): Promise<number> =>
  (await db.row<{ held: number }>(sql`select held from default_partition_rows(${bound}::int)`))?.held ?? 0

/**
 * Maximum number of months that one call moves. The maximum bounds the time until the next call, and so the wait of
 * later months.
 */
const MAX_MONTHS = 24

/**
 * Empties the default partition. If it has at most `movable` rows, they are moved into new partitions, month by month.
 * A larger default partition itself becomes the partition of its months, so that locks last no longer with more rows.
 * Throws the database's error 55P03 if a lock was not available within a second. Months that were moved before stay
 * moved, and the next call moves the others.
 */
export const emptyDefault = async (db: Database, now: Date, movable: number): Promise<void> => {
  for (let months = 0; months < MAX_MONTHS; months++) {
    const found = await db.row<{ held: number; oldest: string | null }>(
      sql`select held, oldest::text from default_partition_rows(${movable + 1}::int)`,
    )
    if (!found?.oldest) return
    if (found.held > movable) return adoptDefault(db, now)
    await db.row(sql`select ensure_month(${found.oldest}::date)`)
  }
}

const adoptDefault = async (db: Database, now: Date): Promise<void> => {
  const range = await db.row<{ low: string; high: string }>(
    sql`select low, high from bound_default_partition(${now}::timestamptz)`,
  )
  await db.tx(async (tx) => {
    await tx.run(sql`set local statement_timeout = '3min'`)
    await tx.row(sql`select validate_default_partition()`)
  })
  await db.row(sql`select adopt_default_partition(${range?.low}::bigint, ${range?.high}::bigint)`)
}
