/** How often pages are shared each day, and by how many accounts: kept and shown like the use of tags. */
import { type Reader, type Sql, sql, type Tx } from '@murmuration/db'
import type { UsedDay } from '../domain/tag.js'

/** A condition on previews `p`: an article that says all that readers need (S-070). */
export const isArticle: Sql = sql`p.type = 0 and p.article and p.title <> '' and p.description <> ''
  and p.provider_name <> '' and p.image_id is not null`

/** A status that an account wrote or boosted on a day. */
export interface Share {
  day: string
  account: string
  status: string
}

/**
 * Counts shares of the pages that public statuses show, by their authors or by those who boosted them. Limited and
 * suspended accounts count nothing, nor does what comes with a warning. The caller sees to it that a share counts once.
 */
export const countShares = async (tx: Tx, shares: readonly Share[]): Promise<void> => {
  if (shares.length === 0) return
  await tx.run(sql`with used as (
      select given.day, p.id, given.account_id
      from unnest(${shares.map((one) => one.day)}::date[], ${shares.map((one) => one.account)}::bigint[],
        ${shares.map((one) => one.status)}::bigint[]) as given(day, account_id, status_id)
      cross join lateral (select s.author_id, s.preview_id from statuses s where s.id = given.status_id
        and s.deleted_at is null and s.visibility = 0 and s.spoiler_text = '' and not s.sensitive) s
      join previews p on p.id = s.preview_id
      where ${isArticle} and not exists (select 1 from author_flags a
        where a.account_id in (s.author_id, given.account_id) and (a.silenced or a.suspended))
    ), fresh as (
      insert into preview_users (day, preview_id, account_id) select distinct day, id, account_id from used order by 1, 2, 3
      on conflict do nothing returning day, preview_id
    )
    insert into preview_days (day, preview_id, uses, accounts)
      select used.day, used.id, count(*)::int,
        (select count(*)::int from fresh where fresh.day = used.day and fresh.preview_id = used.id)
      from used group by used.day, used.id order by used.day, used.id
    on conflict (day, preview_id) do update set uses = preview_days.uses + excluded.uses,
      accounts = preview_days.accounts + excluded.accounts`)
}

/** Shares by preview id on these days; days without any are absent. */
export const sharesOf = async (
  db: Reader,
  previews: readonly string[],
  days: readonly string[],
): Promise<Map<string, UsedDay[]>> => {
  if (previews.length === 0) return new Map()
  const rows = await db.rows<
    UsedDay & { preview_id: string }
  >(sql`select preview_id, to_char(day, 'YYYY-MM-DD') as day, uses, accounts
    from preview_days where day = any(${days}::date[]) and preview_id = any(${previews}::bigint[])`)
  return Map.groupBy(rows, (row) => row.preview_id)
}

/** Erases days before this one, some thousand rows at a time; gives how many went. */
export const forgetShares = async (db: Reader, before: string, most: number): Promise<number> => {
  const users = await db.run(sql`delete from preview_users where (day, preview_id, account_id) in (
    select day, preview_id, account_id from preview_users where day < ${before}::date limit ${most})`)
  const days = await db.run(sql`delete from preview_days where (day, preview_id) in (
    select day, preview_id from preview_days where day < ${before}::date limit ${most})`)
  return users + days
}
