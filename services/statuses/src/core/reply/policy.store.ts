/** Reply policies of remote statuses that not everybody may answer. */
import { type Reader, sql, type Tx } from '@murmuration/db'
import type { ReplyPolicy } from './policy.rules.js'

/** Notes the policy of a status, or that everybody may answer; false when it stood so already. */
export const putReplyPolicy = async (tx: Tx, status: string, policy: ReplyPolicy | null): Promise<boolean> => {
  if (policy === null) return (await tx.run(sql`delete from reply_policies where status_id = ${status}`)) > 0
  const noted = await tx.run(sql`insert into reply_policies (status_id, policy)
    values (${status}, ${JSON.stringify(policy)}::jsonb)
    on conflict (status_id) do update set policy = excluded.policy where reply_policies.policy <> excluded.policy`)
  return noted > 0
}

export interface Answerable {
  policy: ReplyPolicy
  /** The status mentions who would answer. */
  mentioned: boolean
}

/** Reply policy of a status for one writer; null when everybody may answer. */
export const replyPolicyFor = (db: Reader, status: string, writer: string): Promise<Answerable | null> =>
  db.row(sql`select policy, exists (select 1 from mentions
      where status_id = ${status} and account_id = ${writer} and not silent) as mentioned
    from reply_policies where status_id = ${status}`)

export const replyPolicyOf = async (db: Reader, status: string): Promise<ReplyPolicy | null> =>
  (await db.row<{ policy: ReplyPolicy }>(sql`select policy from reply_policies where status_id = ${status}`))?.policy ??
  null

export const deleteReplyPolicies = (tx: Tx, ids: readonly string[]): Promise<number> =>
  tx.run(sql`delete from reply_policies where status_id = any(${ids}::bigint[])`)
