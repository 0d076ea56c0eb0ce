/** How often tags are used each day, and by how many accounts: kept for two weeks, shown for one, and what trends are made of. */
import { type Reader, sql, type Tx } from '@murmuration/db'
import type { UsedDay } from '../domain/tag.js'

/** A status that an account wrote on a day, with its tags. */
export interface Use {
  day: string
  account: string
  names: readonly string[]
}

/**
 * Counts uses of tags. Limited and suspended authors count nothing. The caller sees to it that a status counts once.
 */
export const countUses = async (tx: Tx, uses: readonly Use[]): Promise<void> => {
  const each = uses.flatMap(({ day, account, names }) => names.map((name) => ({ day, account, name })))
  if (each.length === 0) return
  // Sorted, so that two pieces with the same tags wait for each other instead of locking crosswise.
  await tx.run(sql`with used as (
      select given.day, tags.id, given.account_id
      from unnest(${each.map((one) => one.day)}::date[], ${each.map((one) => one.account)}::bigint[],
        ${each.map((one) => one.name)}::text[]) as given(day, account_id, name)
      join tags on tags.name = given.name
      where not exists (
        select 1 from author_flags a where a.account_id = given.account_id and (a.silenced or a.suspended))
    ), fresh as (
      insert into tag_users (day, tag_id, account_id) select distinct day, id, account_id from used order by 1, 2, 3
      on conflict do nothing returning day, tag_id
    )
    insert into tag_days (day, tag_id, uses, accounts)
      select used.day, used.id, count(*)::int,
        (select count(*)::int from fresh where fresh.day = used.day and fresh.tag_id = used.id)
      from used group by used.day, used.id order by used.day, used.id
    on conflict (day, tag_id) do update set uses = tag_days.uses + excluded.uses,
      accounts = tag_days.accounts + excluded.accounts`)
}

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
