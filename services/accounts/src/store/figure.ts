/** Counts of people and servers. */
import { type Reader, sql } from '@murmuration/db'

export interface PeopleFigures {
  users: number
  active_month: number
  active_halfyear: number
}

/** Confirmed people whose account is not suspended, and how many of them were here since two dates. */
export const countPeople = async (db: Reader, since: { month: Date; halfyear: Date }): Promise<PeopleFigures> =>
  (await db.row<PeopleFigures>(sql`select count(*)::int as users,
      count(*) filter (where u.active_at >= ${since.month})::int as active_month,
      count(*) filter (where u.active_at >= ${since.halfyear})::int as active_halfyear
    from users u join accounts a on a.id = u.account_id
    where u.confirmed_at is not null and a.suspended_at is null`)) ?? { users: 0, active_month: 0, active_halfyear: 0 }

/** Servers that people are known of; jumps from one to the next, however many people each has. */
export const countDomains = async (db: Reader): Promise<number> =>
  (
    await db.row<{ n: number }>(sql`with recursive hop as (
      (select reverse(domain) as d from accounts where domain is not null
        order by reverse(domain) using ~<~ limit 1)
      union all
      select (select reverse(a.domain) from accounts a where a.domain is not null and reverse(a.domain) ~>~ hop.d
        order by reverse(a.domain) using ~<~ limit 1)
      from hop where hop.d is not null)
    select count(d)::int as n from hop`)
  )?.n ?? 0
