/** Reports whose domain is not looked up yet. */
import { type Reader, sql, type Tx } from '@murmuration/db'

/** Stored for deleted remote accounts whose domain is not known, so that they do not count as local. */
export const UNKNOWN_DOMAIN = '?'

/** Reported accounts of reports without a domain, at most `most` reports. */
export const unnamedTargets = (db: Reader, most: number): Promise<{ id: string; target_account_id: string }[]> =>
  db.rows(sql`select id, target_account_id from reports where target_domain is null order by id limit ${most}`)

/** Stores the domain of each report, empty for local accounts. */
export const nameDomains = (tx: Tx, found: readonly { id: string; domain: string }[]): Promise<number> =>
  tx.run(sql`update reports set target_domain = found.domain
    from unnest(${found.map((one) => one.id)}::bigint[], ${found.map((one) => one.domain)}::text[]) as found(id, domain)
    where reports.id = found.id and target_domain is null`)

/** Stores the domain of a remote account that is deleted in reports whose domain is not looked up, counts as local, or is not known. */
export const keepDomain = (tx: Tx, account: string, domain: string): Promise<number> =>
  tx.run(sql`update reports set target_domain = ${domain}
    where target_account_id = ${account} and coalesce(target_domain, '') in ('', ${UNKNOWN_DOMAIN})`)

/** Domains of accounts in their last addresses in the audit log. Addresses of local accounts have none. */
export const domainsInLog = (db: Reader, ids: readonly string[]): Promise<{ id: string; domain: string }[]> =>
  db.rows(sql`select distinct on (target_id) target_id as id, split_part(target, '@', 2) as domain from audit_log
    where target_id = any(${ids}::text[]) and target ~ '^[^@ ]+@[^@ ]+$' order by target_id, audit_log.id desc`)
