/** Stores the domain of reported accounts in reports. */
import { type Reader, sql, type Tx } from '@murmuration/db'

/**
 * Value of `target_domain` for a deleted remote account whose domain is unknown. An empty `target_domain` would mean a
 * local account.
 */
export const UNKNOWN_DOMAIN = '?'

/** Reports without a stored domain and their reported accounts, at most `limit`. */
export const unnamedTargets = (db: Reader, limit: number): Promise<{ id: string; target_account_id: string }[]> =>
  db.rows(sql`select id, target_account_id from reports where target_domain is null order by id limit ${limit}`)

/** Stores the domain of the reported account in each report, empty for local accounts. */
export const nameDomains = (tx: Tx, found: readonly { id: string; domain: string }[]): Promise<number> =>
  tx.run(sql`update reports set target_domain = found.domain
    from unnest(${found.map((one) => one.id)}::bigint[], ${found.map((one) => one.domain)}::text[]) as found(id, domain)
    where reports.id = found.id and target_domain is null`)

/**
 * Stores the domain of a deleted remote account in those reports about it whose domain is missing, empty or unknown.
 */
export const keepDomain = (tx: Tx, account: string, domain: string): Promise<number> =>
  tx.run(sql`update reports set target_domain = ${domain}
    where target_account_id = ${account} and coalesce(target_domain, '') in ('', ${UNKNOWN_DOMAIN})`)

/** Domains of accounts by their latest handles in the audit log; empty for local accounts. */
export const domainsInLog = (db: Reader, ids: readonly string[]): Promise<{ id: string; domain: string }[]> =>
  db.rows(sql`select distinct on (target_id) target_id as id, split_part(target, '@', 2) as domain from audit_log
    where target_id = any(${ids}::text[]) and target ~ '^[^@ ]+@[^@ ]+$' order by target_id, audit_log.id desc`)
