/** Maintenance of the counters by day of one service: folds changes and counts older rows, in small steps that block no other work. */
import { backfillDayCounts, type Database, foldDayCounts } from '@murmuration/db'
import { inSteps } from './steps.js'

const CHANGES = { size: 5_000, steps: 60 }
/** Steps of one run for rows that are older than the counters: 20,000 rows, so a million rows take some hours. */
const OLDER = { size: 2_000, steps: 10 }

export const keepDayCounts = async (db: Database): Promise<void> => {
  await inSteps(OLDER, (most) => db.tx((tx) => backfillDayCounts(tx, most)))
  await inSteps(CHANGES, (most) => db.tx((tx) => foldDayCounts(tx, most)))
}
