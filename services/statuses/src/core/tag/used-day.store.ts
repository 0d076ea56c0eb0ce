/** How often something is used each day, and by how many accounts: kept for two weeks, shown for one, and what trends are made of. */
import { type Reader, type Sql, sql, type Tx } from '@murmuration/db'
import type { UsedDay } from './rules.js'

const TABLES = {
  tag: { id: sql`tag_id`, days: sql`tag_days`, users: sql`tag_users` },
  preview: { id: sql`preview_id`, days: sql`preview_days`, users: sql`preview_users` },
}
/** Kinds of daily use counters: tags, and pages that are shared. */
export type Used = keyof typeof TABLES

/**
 * Counts uses; an account counts once a day.
 * @param uses a query that gives `day`, `id` and `account_id`, a row for each use
 */
export const addUses = async (tx: Tx, used: Used, uses: Sql): Promise<void> => {
  const { id, days, users } = TABLES[used]
  // Sorted, so that two pieces with the same tags wait for each other instead of locking crosswise.
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

/** Uses by id on these days; days without any are absent. */
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

/** Erases days before this one, some thousand rows at a time; gives how many went. */
export const forgetUsedDays = async (db: Reader, used: Used, before: string, most: number): Promise<number> => {
  const { id, days, users } = TABLES[used]
  const places =
    used === 'tag'
      ? await db.run(sql`delete from tag_places where (day, tag_id, domain, language) in (
          select day, tag_id, domain, language from tag_places where day < ${before}::date limit ${most})`)
      : 0
  const gone = await db.run(sql`delete from ${users} where (day, ${id}, account_id) in (
    select day, ${id}, account_id from ${users} where day < ${before}::date limit ${most})`)
  return (
    places +
    gone +
    (await db.run(sql`delete from ${days} where (day, ${id}) in (
      select day, ${id} from ${days} where day < ${before}::date limit ${most})`))
  )
}
