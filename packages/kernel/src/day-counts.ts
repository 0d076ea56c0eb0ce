/**
 * Tick work for the counters by day of one service. Recorded changes are added to the counters, and rows that are older
 * than the counters are counted. Both happen in small steps that block no other statements.
 */
import { backfillDayCounts, type Database, foldDayCounts, sql } from '@murmuration/db'
import { inSteps } from './steps.js'

const CHANGES = { size: 5_000, steps: 60 }
/**
 * Size and number of steps of one run for rows that are older than the counters. With 20,000 rows a run, a million rows
 * take some hours.
 */
const OLDER = { size: 2_000, steps: 10 }

/** Adds recorded changes to the counters, and counts older rows. Does nothing if there are none. */
export const keepDayCounts = async (db: Database): Promise<void> => {
  const [isOlder, isChanged] = await Promise.all([
    db.exists(sql`select 1 from day_count_backfills`),
    db.exists(sql`select 1 from day_count_changes`),
  ])
  if (isOlder) await inSteps(OLDER, (max) => db.tx((tx) => backfillDayCounts(tx, max)))
  if (isChanged) await inSteps(CHANGES, (max) => db.tx((tx) => foldDayCounts(tx, max)))
}
