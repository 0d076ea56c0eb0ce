/** What people let through, and the senders they made an exception for. */
import { type Reader, sql, type Tx } from '@murmuration/db'
import type { Policy } from '../domain/policy.js'

/** Policies of those recipients who chose one. */
export const policiesOf = async (db: Reader, recipients: readonly string[]): Promise<Map<string, Policy>> => {
  const rows = await db.rows<Policy & { recipient_id: string }>(sql`select recipient_id, for_not_following,
      for_not_followers, for_new_accounts, for_private_mentions, for_limited_accounts, for_bots
    from policies where recipient_id = any(${recipients}::bigint[])`)
  return new Map(rows.map(({ recipient_id, ...policy }) => [recipient_id, policy]))
}

/** Those of the recipients whose policy does not hold for this sender. */
export const permitting = async (db: Reader, recipients: readonly string[], from: string): Promise<Set<string>> => {
  const rows = await db.rows<{ recipient_id: string }>(sql`select recipient_id from permissions
    where recipient_id = any(${recipients}::bigint[]) and from_id = ${from}`)
  return new Set(rows.map((row) => row.recipient_id))
}

export const revokePermission = (tx: Tx, recipient: string, from: string): Promise<number> =>
  tx.run(sql`delete from permissions where recipient_id = ${recipient} and from_id = ${from}`)

export const revokePermissionsOfDomain = (tx: Tx, recipient: string, domain: string): Promise<number> =>
  tx.run(sql`delete from permissions where recipient_id = ${recipient} and from_domain = ${domain}`)
