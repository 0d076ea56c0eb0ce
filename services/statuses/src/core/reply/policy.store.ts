/** SQL of reply policies of remote statuses. Statuses that everyone may reply to have no stored policy. */
import { type Reader, sql, type Tx } from '@murmuration/db'
import type { ReplyPolicy } from './policy.rules.js'

/** Stores the reply policy of a status; null deletes it. Returns false if nothing changed. */
export const putReplyPolicy = async (tx: Tx, status: string, policy: ReplyPolicy | null): Promise<boolean> => {
  if (policy === null) return (await tx.run(sql`delete from reply_policies where status_id = ${status}`)) > 0
  const noted = await tx.run(sql`insert into reply_policies (status_id, policy)
    values (${status}, ${JSON.stringify(policy)}::jsonb)
    on conflict (status_id) do update set policy = excluded.policy where reply_policies.policy <> excluded.policy`)
  return noted > 0
}

export interface ReplyPolicyFor {
  policy: ReplyPolicy
  /** True if the status mentions the author of the reply. */
  mentioned: boolean
}

/** Reply policy of a status for one author of replies; null if everyone may reply. */
export const replyPolicyFor = (db: Reader, status: string, replyAuthor: string): Promise<ReplyPolicyFor | null> =>
  db.row(sql`select policy, exists (select 1 from mentions
      where status_id = ${status} and account_id = ${replyAuthor} and not silent) as mentioned
    from reply_policies where status_id = ${status}`)

export const replyPolicyOf = async (db: Reader, status: string): Promise<ReplyPolicy | null> =>
  (await db.row<{ policy: ReplyPolicy }>(sql`select policy from reply_policies where status_id = ${status}`))?.policy ??
  null

export const deleteReplyPolicies = (tx: Tx, ids: readonly string[]): Promise<number> =>
  tx.run(sql`delete from reply_policies where status_id = any(${ids}::bigint[])`)
