/** Servers that are allowed under limited federation. */
import { type Cursor, keyset, newestFirst, type Reader, sql, type Tx } from '@murmuration/db'

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

export const allowOf = (db: Reader, domain: string): Promise<DomainAllowRow | null> =>
  db.row<DomainAllowRow>(sql`select ${columns} from domain_allows where domain = ${domain}`)

export const insertAllow = (tx: Tx, row: DomainAllowRow): Promise<number> =>
  tx.run(sql`insert into domain_allows (${columns}) values (${row.id}, ${row.domain}, ${row.created_at})`)

export const deleteAllow = (tx: Tx, id: string): Promise<number> =>
  tx.run(sql`delete from domain_allows where id = ${id}`)
