/** Servers that staff took off the list of limited federation. */
import { type Reader, sql, type Tx } from '@murmuration/db'

/** Notes that a server was taken off the list then. */
export const putDelisted = (tx: Tx, domain: string, at: Date): Promise<number> =>
  tx.run(sql`insert into delisted_domains (domain, at) values (${domain}, ${at})
    on conflict (domain) do update set at = greatest(delisted_domains.at, excluded.at)`)

/** All of them: each was a deed of staff. */
export const delistedDomains = async (db: Reader): Promise<{ domain: string; at: Date }[]> =>
  db.rows(sql`select domain, at from delisted_domains`)

export const deleteDelisted = (db: Reader, domains: readonly string[]): Promise<number> =>
  db.run(sql`delete from delisted_domains where domain = any(${domains}::text[])`)
