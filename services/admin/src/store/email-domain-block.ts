/** Blocked e-mail providers. */
import { type Reader, sql, type Tx } from '@murmuration/db'

export interface EmailDomainBlockRow {
  id: string
  domain: string
  allow_with_approval: boolean
  created_at: Date
}

const columns = sql`id, domain, allow_with_approval, created_at`

export const everyEmailDomainBlock = (db: Reader): Promise<EmailDomainBlockRow[]> =>
  db.rows(sql`select ${columns} from email_domain_blocks order by id`)

/** In the order of their domains, from the first after this one. */
export const emailDomainBlocksAfter = (db: Reader, after: string, limit: number): Promise<EmailDomainBlockRow[]> =>
  db.rows(sql`select ${columns} from email_domain_blocks where domain > ${after} order by domain limit ${limit}`)

/** False when the domain is blocked already. */
export const insertEmailDomainBlock = async (tx: Tx, row: EmailDomainBlockRow): Promise<boolean> =>
  (await tx.run(sql`insert into email_domain_blocks (${columns})
    values (${row.id}, ${row.domain}, ${row.allow_with_approval}, ${row.created_at}) on conflict do nothing`)) > 0

export const deleteEmailDomainBlock = (tx: Tx, domain: string): Promise<EmailDomainBlockRow | null> =>
  tx.row(sql`delete from email_domain_blocks where domain = ${domain} returning ${columns}`)
