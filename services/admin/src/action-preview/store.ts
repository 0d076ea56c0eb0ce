/** Counts the open reports about an account and its strikes, up to 1,000 each. */
import { type Reader, type Sql, sql } from '@murmuration/db'

const MAX_COUNT = 1_000

const counted = async (db: Reader, rows: Sql): Promise<number> =>
  (await db.row<{ n: number }>(sql`select count(*)::int as n from (${rows} limit ${MAX_COUNT}) as counted`))?.n ?? 0

export const countOpenReports = (db: Reader, target: string): Promise<number> =>
  counted(db, sql`select 1 from reports where target_account_id = ${target} and action_taken_at is null`)

export const countStrikes = (db: Reader, target: string): Promise<number> =>
  counted(db, sql`select 1 from strikes where target_account_id = ${target}`)
