/** Schemas of strikes against an account, and appeals by its holder. */
import { z } from 'zod'
import { Account } from './account.js'
import { Id, Timestamp } from './primitive.js'

export const WarningAction = z
  .enum(['none', 'disable', 'mark_statuses_as_sensitive', 'delete_statuses', 'sensitive', 'silence', 'suspend'])
  .meta({ id: 'WarningAction', description: 'Action of a moderator.' })
export type WarningAction = z.infer<typeof WarningAction>

export const Appeal = z
  .strictObject({ text: z.string(), state: z.enum(['pending', 'approved', 'rejected']) })
  .meta({ id: 'Appeal', description: 'An appeal of the account holder against a strike.' })
export type Appeal = z.infer<typeof Appeal>

export const AccountWarning = z
  .strictObject({
    id: Id,
    action: WarningAction,
    text: z.string(),
    status_ids: z.array(Id).nullable(),
    target_account: Account,
    appeal: Appeal.nullable(),
    created_at: Timestamp,
  })
  .meta({ id: 'AccountWarning', description: 'A strike against an account.' })
export type AccountWarning = z.infer<typeof AccountWarning>

/** Follows that ended because of a domain block or a suspension. */
export const RelationshipSeveranceEvent = z
  .strictObject({
    id: Id,
    type: z.enum(['domain_block', 'user_domain_block', 'account_suspension']),
    purged: z.boolean(),
    target_name: z.string(),
    followers_count: z.int().nonnegative(),
    following_count: z.int().nonnegative(),
    created_at: Timestamp,
  })
  .meta({ id: 'RelationshipSeveranceEvent', description: 'Follows that a decision ended.' })
export type RelationshipSeveranceEvent = z.infer<typeof RelationshipSeveranceEvent>
