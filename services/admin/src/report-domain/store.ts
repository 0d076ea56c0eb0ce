/** Reports whose domain is not looked up yet. */
import { type Reader, sql, type Tx } from '@murmuration/db'

/** Reported accounts of reports without a domain, at most `most` reports. */
export const unnamedTargets = (db: Reader, most: number): Promise<{ id: string; target_account_id: string }[]> =>
  db.rows(sql`select id, target_account_id from reports where target_domain is null order by id limit ${most}`)

/** Stores the domain of each report, empty for local accounts. */
export const nameDomains = (tx: Tx, found: readonly { id: string; domain: string }[]): Promise<number> =>
  tx.run(sql`update reports set target_domain = found.domain
    from unnest(${found.map((one) => one.id)}::bigint[], ${found.map((one) => one.domain)}::text[]) as found(id, domain)
    where reports.id = found.id and target_domain is null`)
