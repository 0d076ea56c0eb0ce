/** Schema of reports as moderators read them. */
import { z } from 'zod'
import { AdminAccount } from './admin-account.js'
import { Rule } from './instance.js'
import { Id, Timestamp } from './primitive.js'
import { ReportCategory } from './report.js'
import { Status } from './status.js'

/** A report as moderators read it. `statuses` are the reported statuses, including deleted ones. */
export const AdminReport = z
  .strictObject({
    id: Id,
    action_taken: z.boolean(),
    action_taken_at: Timestamp.nullable(),
    category: ReportCategory,
    comment: z.string(),
    forwarded: z.boolean(),
    created_at: Timestamp,
    updated_at: Timestamp,
    account: AdminAccount,
    target_account: AdminAccount,
    assigned_account: AdminAccount.nullable(),
    action_taken_by_account: AdminAccount.nullable(),
    statuses: z.array(Status),
    rules: z.array(Rule),
  })
  .meta({ id: 'AdminReport', description: 'A report with the accounts, statuses and rules it names.' })
export type AdminReport = z.infer<typeof AdminReport>
