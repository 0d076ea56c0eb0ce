/**
 * Stores closed domains: servers whose accounts were suspended in limited federation mode, because the servers are not
 * allowed.
 */
import { type Reader, sql, type Tx } from '@murmuration/db'

/**
 * Returns the domains among `domains` that are not allowed, and whose accounts were not suspended for that reason yet;
 * at most `limit`.
 */
export const openDomains = async (db: Reader, domains: readonly string[], limit: number): Promise<string[]> =>
  (
    await db.rows<{ domain: string }>(sql`select domain from unnest(${domains}::text[]) as known(domain)
      where not exists (select 1 from domain_allows a where a.domain = known.domain)
        and not exists (select 1 from closed_domains c where c.domain = known.domain)
      limit ${limit}`)
  ).map((row) => row.domain)

export const insertClosed = (tx: Tx, domains: readonly string[]): Promise<number> =>
  tx.run(sql`insert into closed_domains (domain) select unnest(${domains}::text[]) order by 1 on conflict do nothing`)

/**
 * Deletes rows of `closed_domains`, the servers refused in limited federation mode, whose domain is allowed now; with
 * `all`, also other rows. Deletes at most `limit` rows. Returns their domains.
 */
export const takeClosed = async (tx: Tx, all: boolean, limit: number): Promise<string[]> =>
  (
    await tx.rows<{ domain: string }>(sql`delete from closed_domains where domain in (
        select c.domain from closed_domains c
        where ${all} or exists (select 1 from domain_allows a where a.domain = c.domain)
        limit ${limit} for update skip locked)
      returning domain`)
  ).map((row) => row.domain)
