/** How often tags are used each day, and by how many accounts: kept for two weeks, shown for one, and what trends are made of. */
import { type Reader, sql, type Tx } from '@murmuration/db'
import type { UsedDay } from '../domain/tag.js'

/**
 * Counts one use of these tags by an account on a day. Limited and suspended authors count nothing. The caller sees to it
 * that a status counts once.
 */
export const countUses = (tx: Tx, use: { day: string; account: string; names: readonly string[] }): Promise<number> =>
  // Sorted, so that two statuses with the same tags wait for each other instead of locking crosswise.
  tx.run(sql`with used as (
      select id from tags where name = any(${use.names}::text[]) and not exists (
        select 1 from author_flags where account_id = ${use.account} and (silenced or suspended))
    ), fresh as (
      insert into tag_users (day, tag_id, account_id) select ${use.day}::date, id, ${use.account}::bigint from used order by id
      on conflict do nothing returning tag_id
    )
    insert into tag_days (day, tag_id, uses, accounts)
      select ${use.day}::date, used.id, 1, (fresh.tag_id is not null)::int
      from used left join fresh on fresh.tag_id = used.id order by used.id
    on conflict (day, tag_id) do update set uses = tag_days.uses + 1, accounts = tag_days.accounts + excluded.accounts`)

/** Uses by tag id on these days; days without any are absent. */
export const usesOf = async (
  db: Reader,
  tags: readonly string[],
  days: readonly string[],
): Promise<Map<string, UsedDay[]>> => {
  if (tags.length === 0) return new Map()
  const rows = await db.rows<
    UsedDay & { tag_id: string }
  >(sql`select tag_id, to_char(day, 'YYYY-MM-DD') as day, uses, accounts
    from tag_days where day = any(${days}::date[]) and tag_id = any(${tags}::bigint[])`)
  return Map.groupBy(rows, (row) => row.tag_id)
}

/** Erases days before this one, some thousand rows at a time; gives how many went. */
export const forgetDays = async (db: Reader, before: string, most: number): Promise<number> => {
  const users = await db.run(sql`delete from tag_users where (day, tag_id, account_id) in (
    select day, tag_id, account_id from tag_users where day < ${before}::date limit ${most})`)
  const days = await db.run(sql`delete from tag_days where (day, tag_id) in (
    select day, tag_id from tag_days where day < ${before}::date limit ${most})`)
  return users + days
}
