/** Restricts undos to staff that outranks the account that an audit log entry is about. */
import type { UndoObstacle } from '@murmuration/contracts/admin'
import { overrides } from '@murmuration/contracts/permissions'
import type { Context } from '../context.js'
import { moderatedAccounts } from '../core/admin-account.js'
import type { AuditRow } from '../core/audit-log/rules.js'
import type { Reversal } from './reversal.js'

/** Account ids by entry id. Entries without an account are left out, and cannot be undone. */
type AccountsOf = (ctx: Context, entries: readonly AuditRow[]) => Promise<ReadonlyMap<string, string>>

/** Returns a reversal that only staff may use that outranks the account of the audit log entry. */
export const ranked = (reversal: Reversal, accountsOf: AccountsOf): Reversal => ({
  ...reversal,
  async reverse(ctx, entries, request) {
    const { by } = request
    const about = await accountsOf(ctx, entries)
    const accounts = await moderatedAccounts(ctx, about.values())
    const obstacleOf = ({ id }: AuditRow): UndoObstacle | null => {
      const account = accounts.get(about.get(id) ?? '')
      if (!account) return about.has(id) ? 'account_deleted' : 'not_recorded'
      return by === null || overrides(by.position, account.position) ? null : 'not_permitted'
    }
    const evaluated = entries.map((entry) => ({ entry, obstacle: obstacleOf(entry) }))
    const free = evaluated.flatMap(({ entry, obstacle }) => (obstacle === null ? [entry] : []))
    return new Map([
      ...evaluated.flatMap(({ entry, obstacle }) => (obstacle === null ? [] : [[entry.id, { obstacle }] as const])),
      ...(await reversal.reverse(ctx, free, request)),
    ])
  },
})
