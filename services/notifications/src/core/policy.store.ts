/**
 * Reads and writes notification policies of accounts, and permissions. A permission names a sender to whom the policy
 * of a recipient does not apply.
 */
import { bigints, type Reader, sql, type Tx } from '@murmuration/db'
import { DEFAULT_POLICY, type Policy } from './decision.rules.js'

/** Notification policies by recipient. Recipients that never changed their policy are left out. */
export const policiesOf = async (db: Reader, recipients: readonly string[]): Promise<Map<string, Policy>> => {
  const rows = await db.rows<Policy & { recipient_id: string }>(sql`select recipient_id, for_not_following,
      for_not_followers, for_new_accounts, for_private_mentions, for_limited_accounts, for_bots
    from policies where recipient_id = any(${bigints(recipients)})`)
  return new Map(rows.map(({ recipient_id, ...policy }) => [recipient_id, policy]))
}

export const policyOf = async (db: Reader, recipient: string): Promise<Policy> =>
  (await policiesOf(db, [recipient])).get(recipient) ?? DEFAULT_POLICY

/** Changes the given members of a notification policy. Returns the new policy. */
export const changePolicyOf = async (tx: Tx, recipient: string, changes: Partial<Policy>): Promise<Policy> => {
  await tx.run(sql`insert into policies (recipient_id) values (${recipient}) on conflict do nothing`)
  await tx.run(sql`update policies set
    for_not_following = coalesce(${changes.for_not_following ?? null}::text, for_not_following),
    for_not_followers = coalesce(${changes.for_not_followers ?? null}::text, for_not_followers),
    for_new_accounts = coalesce(${changes.for_new_accounts ?? null}::text, for_new_accounts),
    for_private_mentions = coalesce(${changes.for_private_mentions ?? null}::text, for_private_mentions),
    for_limited_accounts = coalesce(${changes.for_limited_accounts ?? null}::text, for_limited_accounts),
    for_bots = coalesce(${changes.for_bots ?? null}::text, for_bots)
    where recipient_id = ${recipient}`)
  return policyOf(tx, recipient)
}

/** Stores permissions for senders. The policy of the recipient then no longer applies to them. */
export const insertPermissions = async (
  tx: Tx,
  recipient: string,
  senders: readonly { from_id: string; from_domain: string | null }[],
): Promise<void> => {
  await tx.run(sql`insert into permissions (recipient_id, from_id, from_domain)
    select ${recipient}::bigint, sender, domain
    from unnest(${senders.map((one) => one.from_id)}::bigint[], ${senders.map((one) => one.from_domain)}::text[])
      as given(sender, domain)
    order by sender on conflict do nothing`)
}

/** Returns the recipients among `recipients` that have a permission for the sender `from`. */
export const recipientsPermitting = async (
  db: Reader,
  recipients: readonly string[],
  from: string,
): Promise<Set<string>> => {
  const rows = await db.rows<{ recipient_id: string }>(sql`select recipient_id from permissions
    where recipient_id = any(${bigints(recipients)}) and from_id = ${from}`)
  return new Set(rows.map((row) => row.recipient_id))
}

export const revokePermission = (tx: Tx, recipient: string, from: string): Promise<number> =>
  tx.run(sql`delete from permissions where recipient_id = ${recipient} and from_id = ${from}`)

export const revokePermissionsOfDomain = (tx: Tx, recipient: string, domain: string): Promise<number> =>
  tx.run(sql`delete from permissions where recipient_id = ${recipient} and from_domain = ${domain}`)
