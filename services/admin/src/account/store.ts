/** Stores final decisions of staff about accounts: approval, rejection and deletion. */
import { type Reader, sql, type Tx } from '@murmuration/db'
import { accountDecisions, decisionKind } from '../core/older-table-names.store.js'

export type AccountDecision = 'approve' | 'reject' | 'delete'

/**
 * Stores one decision about several accounts. Returns the accounts for which the decision is new. A sign-up cannot be
 * both approved and rejected.
 */
export const insertDecisions = async (
  tx: Tx,
  row: { accounts: readonly string[]; decision: AccountDecision; by: string | null; at: Date },
): Promise<Set<string>> => {
  const names = row.accounts.map((account) => `verdict ${account}`).toSorted()
  await tx.run(sql`select pg_advisory_xact_lock(hashtextextended(name, 0)) from unnest(${names}::text[]) as one(name)`)
  const stored = await tx.rows<{ id: string }>(sql`insert into ${accountDecisions}
      (account_id, ${decisionKind}, by_account_id, decided_at)
    select account, ${row.decision}, ${row.by}::bigint, ${row.at}::timestamptz
    from unnest(${row.accounts}::bigint[]) as given(account)
    where ${row.decision} = 'delete' or not exists (select 1 from ${accountDecisions} d
      where d.account_id = account and d.${decisionKind} in ('approve', 'reject') and d.${decisionKind} <> ${row.decision})
    order by account
    on conflict do nothing returning account_id as id`)
  return new Set(stored.map(({ id }) => id))
}

/** True if this final decision (approval, rejection or deletion) about the account is stored. */
export const isDecided = async (db: Reader, account: string, decision: AccountDecision): Promise<boolean> =>
  (await db.row(sql`select 1 from ${accountDecisions}
    where account_id = ${account} and ${decisionKind} = ${decision}`)) !== null
