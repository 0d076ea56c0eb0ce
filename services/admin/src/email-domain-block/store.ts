/** Stores e-mail domain blocks. */
import { type Cursor, keyset, newestFirst, type Reader, sql, type Tx } from '@murmuration/db'

export interface EmailDomainBlockRow {
  id: string
  domain: string
  allow_with_approval: boolean
  created_at: Date
}

const columns = sql`id, domain, allow_with_approval, created_at`

export const everyEmailDomainBlock = (db: Reader): Promise<EmailDomainBlockRow[]> =>
  db.rows(sql`select ${columns} from email_domain_blocks order by id`)

/** A page of e-mail domain blocks in the order of their domains, after the domain `after`. */
export const emailDomainBlocksAfter = (db: Reader, after: string, limit: number): Promise<EmailDomainBlockRow[]> =>
  db.rows(sql`select ${columns} from email_domain_blocks where domain > ${after} order by domain limit ${limit}`)

/** One page of e-mail domain blocks, newest first. */
export const emailDomainBlockPage = async (db: Reader, page: Cursor): Promise<EmailDomainBlockRow[]> =>
  newestFirst(
    await db.rows<EmailDomainBlockRow>(
      sql`select ${columns} from email_domain_blocks where true ${keyset(sql`id`, page)}`,
    ),
    page,
  )

export const emailDomainBlockById = (db: Reader, id: string): Promise<EmailDomainBlockRow | null> =>
  db.row(sql`select ${columns} from email_domain_blocks where id = ${id}`)

/** The e-mail domain block with this id, locked until the transaction ends. */
export const lockEmailDomainBlock = (tx: Tx, id: string): Promise<EmailDomainBlockRow | null> =>
  tx.row(sql`select ${columns} from email_domain_blocks where id = ${id} for update`)

/** Deletes a block. Returns the deleted row; null if no block has this id. */
export const deleteEmailDomainBlockById = (tx: Tx, id: string): Promise<EmailDomainBlockRow | null> =>
  tx.row(sql`delete from email_domain_blocks where id = ${id} returning ${columns}`)

/** Inserts an e-mail domain block. Returns false if the domain is blocked already. */
export const insertEmailDomainBlock = async (tx: Tx, row: EmailDomainBlockRow): Promise<boolean> =>
  (await tx.run(sql`insert into email_domain_blocks (${columns})
    values (${row.id}, ${row.domain}, ${row.allow_with_approval}, ${row.created_at}) on conflict do nothing`)) > 0

export const deleteEmailDomainBlock = (tx: Tx, domain: string): Promise<EmailDomainBlockRow | null> =>
  tx.row(sql`delete from email_domain_blocks where domain = ${domain} returning ${columns}`)
