/** Schemas of warning presets, and strikes with their appeals, for staff. */
import { z } from 'zod'
import { Appeal, WarningAction } from './account-warning.js'
import { AdminAccount } from './admin-account.js'
import { Id, Timestamp } from './primitive.js'

export const AdminWarningPreset = z
  .strictObject({ id: Id, title: z.string(), text: z.string(), created_at: Timestamp, updated_at: Timestamp })
  .meta({ id: 'AdminWarningPreset', description: 'A text that staff has prepared for warnings.' })
export type AdminWarningPreset = z.infer<typeof AdminWarningPreset>

export const AdminAppeal = Appeal.extend({
  id: Id,
  created_at: Timestamp,
  decided_at: Timestamp.nullable(),
  decided_by_account_id: Id.nullable(),
}).meta({ id: 'AdminAppeal', description: 'An appeal against a strike as staff sees it.' })
export type AdminAppeal = z.infer<typeof AdminAppeal>

/**
 * A strike for staff. `account` is the moderator; null if the account no longer exists. `overruled_at` is set when an
 * appeal is approved, or the action undone.
 */
export const AdminStrike = z
  .strictObject({
    id: Id,
    action: WarningAction,
    text: z.string(),
    created_at: Timestamp,
    overruled_at: Timestamp.nullable(),
    report_id: Id.nullable(),
    status_ids: z.array(Id),
    account: AdminAccount.nullable(),
    target_account: AdminAccount,
    appeal: AdminAppeal.nullable(),
  })
  .meta({ id: 'AdminStrike', description: 'A strike against an account as staff sees it.' })
export type AdminStrike = z.infer<typeof AdminStrike>
