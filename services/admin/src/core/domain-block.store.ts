/** Stores domain blocks. */
import { type Cursor, keyset, newestFirst, type Reader, sql, type Tx } from '@murmuration/db'

export interface DomainBlockRow {
  id: string
  domain: string
  severity: 'noop' | 'silence' | 'suspend'
  reject_media: boolean
  reject_reports: boolean
  private_comment: string | null
  public_comment: string | null
  obfuscate: boolean
  created_at: Date
}

const columns = sql`id, domain, severity, reject_media, reject_reports, private_comment, public_comment, obfuscate, created_at`

export const allBlocks = (db: Reader): Promise<DomainBlockRow[]> =>
  db.rows<DomainBlockRow>(sql`select ${columns} from domain_blocks order by domain`)

/** A page of domain blocks in the order of their domains, after a domain. */
export const blocksAfter = (db: Reader, after: string, limit: number): Promise<DomainBlockRow[]> =>
  db.rows<DomainBlockRow>(
    sql`select ${columns} from domain_blocks where domain > ${after} order by domain limit ${limit}`,
  )

/** Domain blocks in the public list, limits before suspensions. */
export const shownBlocks = (db: Reader): Promise<DomainBlockRow[]> =>
  db.rows<DomainBlockRow>(sql`select ${columns} from domain_blocks where severity in ('silence', 'suspend')
    order by severity, domain`)

export const blockPage = async (db: Reader, page: Cursor): Promise<DomainBlockRow[]> =>
  newestFirst(
    await db.rows<DomainBlockRow>(sql`select ${columns} from domain_blocks where true ${keyset(sql`id`, page)}`),
    page,
  )

export const blockById = (db: Reader, id: string): Promise<DomainBlockRow | null> =>
  db.row<DomainBlockRow>(sql`select ${columns} from domain_blocks where id = ${id}`)

/**
 * The block that applies to a host. `domains`: the host and its parent domains; the block of the longest domain
 * applies.
 */
export const strictestOf = (db: Reader, domains: readonly string[]): Promise<DomainBlockRow | null> =>
  db.row<DomainBlockRow>(sql`select ${columns} from domain_blocks where domain = any(${domains})
    order by length(domain) desc limit 1`)

/** Domain blocks of these domains, without those of their parents. */
export const blocksOf = (db: Reader, domains: readonly string[]): Promise<DomainBlockRow[]> =>
  db.rows<DomainBlockRow>(sql`select ${columns} from domain_blocks where domain = any(${domains})`)

/** Subdomains of a domain that have a block of their own that limits or suspends accounts. */
export const domainsBelow = (db: Reader, domain: string): Promise<Pick<DomainBlockRow, 'domain' | 'created_at'>[]> =>
  db.rows<Pick<DomainBlockRow, 'domain' | 'created_at'>>(sql`select domain, created_at from domain_blocks
    where right(domain, ${domain.length + 1}) = ${`.${domain}`} and severity <> 'noop'`)

export const countDomains = async (db: Reader): Promise<number> =>
  (
    await db.row<{ n: number }>(
      sql`select ((select count(*) from domain_blocks) + (select count(*) from domain_allows))::int as n`,
    )
  )?.n ?? 0

export const insertBlocks = (tx: Tx, rows: readonly DomainBlockRow[]): Promise<number> =>
  tx.run(sql`insert into domain_blocks (${columns}) select * from unnest(${rows.map((row) => row.id)}::bigint[],
    ${rows.map((row) => row.domain)}::text[], ${rows.map((row) => row.severity)}::text[],
    ${rows.map((row) => row.reject_media)}::boolean[], ${rows.map((row) => row.reject_reports)}::boolean[],
    ${rows.map((row) => row.private_comment)}::text[], ${rows.map((row) => row.public_comment)}::text[],
    ${rows.map((row) => row.obfuscate)}::boolean[], ${rows.map((row) => row.created_at)}::timestamptz[])`)

export const updateBlock = (tx: Tx, row: DomainBlockRow): Promise<number> =>
  tx.run(sql`update domain_blocks set severity = ${row.severity}, reject_media = ${row.reject_media},
    reject_reports = ${row.reject_reports}, private_comment = ${row.private_comment},
    public_comment = ${row.public_comment}, obfuscate = ${row.obfuscate} where id = ${row.id}`)

/** Domain blocks with these ids. */
export const blocksById = (db: Reader, ids: readonly string[]): Promise<DomainBlockRow[]> =>
  db.rows<DomainBlockRow>(sql`select ${columns} from domain_blocks where id = any(${ids}::bigint[])`)

/** Domain blocks with these ids, locked until the transaction ends. */
export const lockBlocks = (tx: Tx, ids: readonly string[]): Promise<DomainBlockRow[]> =>
  tx.rows<DomainBlockRow>(
    sql`select ${columns} from domain_blocks where id = any(${ids}::bigint[]) order by id for update`,
  )

export const updateBlocks = (tx: Tx, rows: readonly DomainBlockRow[]): Promise<number> =>
  tx.run(sql`update domain_blocks b set severity = given.severity, reject_media = given.reject_media,
      reject_reports = given.reject_reports, private_comment = given.private_comment,
      public_comment = given.public_comment, obfuscate = given.obfuscate
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as given(id bigint, severity text, reject_media boolean,
      reject_reports boolean, private_comment text, public_comment text, obfuscate boolean)
    where b.id = given.id`)

export const deleteBlocks = (tx: Tx, ids: readonly string[]): Promise<number> =>
  tx.run(sql`delete from domain_blocks where id = any(${ids}::bigint[])`)

export const deleteBlock = (tx: Tx, id: string): Promise<number> =>
  tx.run(sql`delete from domain_blocks where id = ${id}`)
