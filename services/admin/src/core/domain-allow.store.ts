/** Stores allowed servers of limited federation mode. */
import { type Cursor, keyset, newestFirst, type Reader, sql, type Tx, texts } from '@murmuration/db'

export interface DomainAllowRow {
  id: string
  domain: string
  created_at: Date
}

const columns = sql`id, domain, created_at`

export const allAllows = (db: Reader): Promise<DomainAllowRow[]> =>
  db.rows<DomainAllowRow>(sql`select ${columns} from domain_allows order by domain`)

export const allowPage = async (db: Reader, page: Cursor): Promise<DomainAllowRow[]> =>
  newestFirst(
    await db.rows<DomainAllowRow>(sql`select ${columns} from domain_allows where true ${keyset(sql`id`, page)}`),
    page,
  )

export const allowById = (db: Reader, id: string): Promise<DomainAllowRow | null> =>
  db.row<DomainAllowRow>(sql`select ${columns} from domain_allows where id = ${id}`)

/** One row of the allow list, locked until the transaction ends. */
export const lockAllow = (tx: Tx, id: string): Promise<DomainAllowRow | null> =>
  tx.row<DomainAllowRow>(sql`select ${columns} from domain_allows where id = ${id} for update`)

export const allowOf = (db: Reader, domain: string): Promise<DomainAllowRow | null> =>
  db.row<DomainAllowRow>(sql`select ${columns} from domain_allows where domain = ${domain}`)

/** Rows of the allow list for these domains. Domains that are not allowed are left out. */
export const allowsOf = (db: Reader, domains: readonly string[]): Promise<DomainAllowRow[]> =>
  db.rows<DomainAllowRow>(sql`select ${columns} from domain_allows where domain = any(${texts(domains)})`)

/** A page of allowed servers in the order of their domains, after a domain. */
export const allowsAfter = (db: Reader, after: string, limit: number): Promise<DomainAllowRow[]> =>
  db.rows<DomainAllowRow>(
    sql`select ${columns} from domain_allows where domain > ${after} order by domain limit ${limit}`,
  )

export const insertAllows = (tx: Tx, rows: readonly DomainAllowRow[]): Promise<number> =>
  tx.run(sql`insert into domain_allows (${columns}) select * from unnest(${rows.map((row) => row.id)}::bigint[],
    ${rows.map((row) => row.domain)}::text[], ${rows.map((row) => row.created_at)}::timestamptz[])`)

export const deleteAllow = (tx: Tx, id: string): Promise<number> =>
  tx.run(sql`delete from domain_allows where id = ${id}`)
