/** Reads and writes counters of sign-ups to which blocks of e-mail domains applied. */
import { type Reader, sql } from '@murmuration/db'

/** Maximum number of networks that are counted per domain and day. Attempts from further networks are not counted. */
const MAX_NETWORKS = 10_000

const dayOf = (at: Date) => sql`(${at}::timestamptz at time zone 'UTC')::date`

/** Counts one attempt to sign up for each of `domains`. */
export const countRefused = (db: Reader, domains: readonly string[], ip: string, at: Date): Promise<number> =>
  db.run(sql`insert into refused_sign_ups (domain, day, network, uses)
    select domain, ${dayOf(at)}, host(network(set_masklen(${ip}::inet,
        case family(${ip}::inet) when 4 then 32 else 64 end)))::inet, 1
      from unnest(${domains}::text[]) as given(domain)
      where (select count(*) from (select 1 from refused_sign_ups r where r.domain = given.domain and r.day = ${dayOf(at)}
        limit ${MAX_NETWORKS}) as known) < ${MAX_NETWORKS}
    order by domain on conflict (domain, day, network) do update set uses = refused_sign_ups.uses + 1`)

export interface RefusedDay {
  domain: string
  /** Beginning of the counted day (midnight UTC), in Unix seconds. */
  day: number
  uses: number
  networks: number
}

/** Counters of sign-ups for the given e-mail domains, from the day of `since` on. */
export const refusedSince = (db: Reader, domains: readonly string[], since: Date): Promise<RefusedDay[]> =>
  db.rows(sql`select domain, extract(epoch from day::timestamp at time zone 'UTC')::int as day, sum(uses)::int as uses,
      count(*)::int as networks
    from refused_sign_ups where domain = any(${domains}::text[]) and day >= ${dayOf(since)} group by domain, day`)

/** Deletes counters of days before the day of `before`, at most `limit`. Returns the number of deleted rows. */
export const deleteRefused = (db: Reader, before: Date, limit: number): Promise<number> =>
  db.run(sql`delete from refused_sign_ups where (domain, day, network) in
    (select domain, day, network from refused_sign_ups where day < ${dayOf(before)} order by day limit ${limit})`)
