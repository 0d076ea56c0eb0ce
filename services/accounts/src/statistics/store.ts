/** Counts users and domains. */
import { type Reader, sql } from '@murmuration/db'

export interface AccountCounts {
  users: number
  active_month: number
  active_halfyear: number
}

/**
 * Users with a confirmed address and without suspension, and how many of them were active since two dates. All users
 * are counted in the index `users_confirmed`, without a join. Users with a suspended account are subtracted.
 */
export const countAccounts = async (db: Reader, since: { month: Date; halfyear: Date }): Promise<AccountCounts> => {
  const counts = sql`count(*) as users,
    count(*) filter (where u.active_at >= ${since.month}) as active_month,
    count(*) filter (where u.active_at >= ${since.halfyear}) as active_halfyear`
  const found = await db.row<AccountCounts>(sql`
    with confirmed as (select ${counts} from users u where u.confirmed_at is not null),
    suspended as (select ${counts} from accounts a join users u on u.account_id = a.id
      where a.suspended_at is not null and a.domain is null and u.confirmed_at is not null)
    select (c.users - s.users)::int as users, (c.active_month - s.active_month)::int as active_month,
      (c.active_halfyear - s.active_halfyear)::int as active_halfyear
    from confirmed c, suspended s`)
  return found ?? { users: 0, active_month: 0, active_halfyear: 0 }
}

/** Number of domains of stored accounts. The query jumps from one domain to the next, however many accounts each has. */
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

/** Domains of stored accounts, in no particular order. The query jumps like `countDomains`. */
export const everyDomain = async (db: Reader, limit: number): Promise<string[]> =>
  (
    await db.rows<{ d: string }>(sql`with recursive hop as (
      (select reverse(domain) as d from accounts where domain is not null
        order by reverse(domain) using ~<~ limit 1)
      union all
      select (select reverse(a.domain) from accounts a where a.domain is not null and reverse(a.domain) ~>~ hop.d
        order by reverse(a.domain) using ~<~ limit 1)
      from hop where hop.d is not null)
    select reverse(d) as d from hop where d is not null limit ${limit}`)
  ).map((row) => row.d)

export interface AccountWeek {
  logins: number
  registrations: number
}

/** Active users and new users of each week that begins at one of `mondays`, in their order. */
export const accountWeeks = (db: Reader, mondays: readonly Date[]): Promise<AccountWeek[]> =>
  db.rows<AccountWeek>(sql`select
      (select count(*)::int from active_weeks w where w.week = (monday at time zone 'UTC')::date) as logins,
      (select count(*)::int from users u where u.created_at >= monday and u.created_at < monday + interval '7 days')
        as registrations
    from unnest(${mondays}::timestamptz[]) with ordinality as weeks(monday, n) order by n`)

export const deleteWeeksBefore = (db: Reader, before: Date): Promise<number> =>
  db.run(sql`delete from active_weeks where week < ${before}::date`)
