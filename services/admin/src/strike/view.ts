/** Strikes as JSON: for staff with the accounts of moderator and account holder, and for the account holder. */
import type { AdminRecord } from '@murmuration/contracts/accounts'
import type { StrikeForHolder } from '@murmuration/contracts/admin'
import type { AccountWarning, AdminStrike, Appeal } from '@murmuration/contracts/entities'
import { type Json, toJson } from '@murmuration/contracts/kit'
import { appealUntil } from './rules.js'
import type { StrikeRow } from './store.js'

/** A strike for staff; null if its account no longer exists. */
export const strikeOf = (row: StrikeRow, accounts: ReadonlyMap<string, AdminRecord>): Json<AdminStrike> | null => {
  const target = accounts.get(row.target_account_id)
  if (target === undefined) return null
  return toJson<AdminStrike>({
    id: row.id,
    action: row.action,
    text: row.text,
    created_at: row.created_at.toISOString(),
    overruled_at: row.overruled_at?.toISOString() ?? null,
    report_id: row.report_id,
    status_ids: row.status_ids,
    account: accounts.get(row.account_id)?.account ?? null,
    target_account: target.account,
    appeal:
      row.appeal_id === null
        ? null
        : {
            id: row.appeal_id,
            text: row.appeal_text,
            state: row.appeal_state,
            created_at: row.appeal_created_at.toISOString(),
            decided_at: row.appeal_decided_at?.toISOString() ?? null,
            decided_by_account_id: row.appeal_decided_by,
          },
  })
}

const appealOf = (row: StrikeRow): Appeal | null =>
  row.appeal_id === null ? null : { text: row.appeal_text, state: row.appeal_state }

/** A strike for the account holder, without the moderator and without the account. */
export const warningOf = (row: StrikeRow): Omit<AccountWarning, 'target_account'> => ({
  id: row.id,
  action: row.action,
  text: row.text,
  status_ids: row.status_ids.length > 0 ? row.status_ids : null,
  appeal: appealOf(row),
  created_at: row.created_at.toISOString(),
})

/** Data for a page of the account holder: time of the overruling, and deadline of an appeal. */
export const appealTimesOf = (row: StrikeRow, now: number): Omit<StrikeForHolder, 'warning'> => ({
  overruled_at: row.overruled_at?.toISOString() ?? null,
  appeal_until: appealUntil(row, now)?.toISOString() ?? null,
})
