/**
 * SQL of daily uses: how often tags and pages were used on a day, and by how many accounts. Basis of history and
 * trends.
 */
import { type Reader, type Sql, sql, type Tx } from '@murmuration/db'
import type { UsedDay } from './rules.js'

const TABLES = {
  tag: { id: sql`tag_id`, days: sql`tag_days`, users: sql`tag_users` },
  preview: { id: sql`preview_id`, days: sql`preview_days`, users: sql`preview_users` },
}
/** Kinds of daily use counters: tags, and shared pages. */
export type Used = keyof typeof TABLES

/**
 * Adds uses to the daily counters. Each account counts once a day.
 * @param uses query with the columns `day`, `id` and `account_id`, one row per use
 */
export const addUses = async (tx: Tx, used: Used, uses: Sql): Promise<void> => {
  const { id, days, users } = TABLES[used]
  // The rows are sorted, so that concurrent transactions with the same tags cannot deadlock.
  await tx.run(sql`with used as (${uses}), fresh as (
      insert into ${users} (day, ${id}, account_id) select distinct day, id, account_id from used order by 1, 2, 3
      on conflict do nothing returning day, ${id} as id
    )
    insert into ${days} (day, ${id}, uses, accounts)
      select used.day, used.id, count(*)::int,
        (select count(*)::int from fresh where fresh.day = used.day and fresh.id = used.id)
      from used group by used.day, used.id order by used.day, used.id
    on conflict (day, ${id}) do update set uses = ${days}.uses + excluded.uses,
      accounts = ${days}.accounts + excluded.accounts`)
}

/** Uses by id on these days. Days without uses are missing. */
export const usedDays = async (
  db: Reader,
  used: Used,
  ids: readonly string[],
  on: readonly string[],
): Promise<Map<string, UsedDay[]>> => {
  if (ids.length === 0) return new Map()
  const { id, days } = TABLES[used]
  const rows = await db.rows<
    UsedDay & { id: string }
  >(sql`select ${id} as id, to_char(day, 'YYYY-MM-DD') as day, uses, accounts
    from ${days} where day = any(${on}::date[]) and ${id} = any(${ids}::bigint[])`)
  return Map.groupBy(rows, (row) => row.id)
}

/** Deletes at most `limit` rows per table from days before `before`. Returns the number of deleted rows. */
export const deleteUsedDays = async (db: Reader, used: Used, before: string, limit: number): Promise<number> => {
  const { id, days, users } = TABLES[used]
  const places =
    used === 'tag'
      ? await db.run(sql`delete from tag_places where (day, tag_id, domain, language) in (
          select day, tag_id, domain, language from tag_places where day < ${before}::date limit ${limit})`)
      : 0
  const gone = await db.run(sql`delete from ${users} where (day, ${id}, account_id) in (
    select day, ${id}, account_id from ${users} where day < ${before}::date limit ${limit})`)
  return (
    places +
    gone +
    (await db.run(sql`delete from ${days} where (day, ${id}) in (
      select day, ${id} from ${days} where day < ${before}::date limit ${limit})`))
  )
}
