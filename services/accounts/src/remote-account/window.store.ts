/** Reads windows of accounts for maintenance, in the order of their ids, with one index. */
import { type Reader, sql, texts } from '@murmuration/db'

export interface WindowRow {
  id: string
  uri: string
  domain: string | null
  fetched_at: Date | null
  fetch_failures: number
}

const columns = sql`a.id, a.uri, a.domain, a.fetched_at, a.fetch_failures`

/** The next accounts after an id, in the order of ids. Without `domains`, local accounts are included. */
export const accountWindow = (
  db: Reader,
  { after, domains, limit }: { after: string; domains: readonly string[]; limit: number },
): Promise<WindowRow[]> =>
  domains.length === 0
    ? db.rows(sql`select ${columns} from accounts a where a.id > ${after || '0'} order by a.id limit ${limit}`)
    : db.rows(sql`select a.* from unnest(${texts(domains)}) as wanted(domain)
        cross join lateral (select ${columns} from accounts a
          where a.domain is not null and reverse(a.domain) = reverse(wanted.domain) and a.id > ${after || '0'}
          order by a.id limit ${limit}) a
        order by a.id limit ${limit}`)

/** The number of accounts as PostgreSQL estimates it. */
export const estimateAccounts = async (db: Reader): Promise<number> =>
  (await db.row<{ n: number }>(sql`select reltuples::float8 as n from pg_class where oid = 'accounts'::regclass`))?.n ??
  0
