/** Schema of reports as the reporter reads them. */
import { z } from 'zod'
import { Account } from './account.js'
import { Id, Timestamp } from './primitive.js'

export const ReportCategory = z
  .enum(['other', 'spam', 'legal', 'violation'])
  .meta({ id: 'ReportCategory', description: 'Category of a report.' })
export type ReportCategory = z.infer<typeof ReportCategory>

export const Report = z
  .strictObject({
    id: Id,
    action_taken: z.boolean(),
    action_taken_at: Timestamp.nullable(),
    category: ReportCategory,
    comment: z.string(),
    forwarded: z.boolean(),
    created_at: Timestamp,
    status_ids: z.array(Id).nullable(),
    rule_ids: z.array(Id).nullable(),
    collection_ids: z.array(Id).nullable(),
    target_account: Account,
  })
  .meta({ id: 'Report', description: 'A report about an account.' })
export type Report = z.infer<typeof Report>
