/** Schemas of the relationship between the viewer and another account. */
import { z } from 'zod'
import { Account } from './account.js'
import { Id, LanguageCode, Timestamp } from './primitive.js'

/**
 * Relationship of the viewer to an account. `showing_reblogs` is false unless the viewer follows the account or
 * requested to follow it. `languages` null means all.
 */
export const Relationship = z
  .strictObject({
    id: Id,
    following: z.boolean(),
    showing_reblogs: z.boolean(),
    notifying: z.boolean(),
    languages: z.array(LanguageCode).nullable(),
    followed_by: z.boolean(),
    blocking: z.boolean(),
    blocked_by: z.boolean(),
    muting: z.boolean(),
    muting_notifications: z.boolean(),
    muting_expires_at: Timestamp.nullable(),
    requested: z.boolean(),
    requested_by: z.boolean(),
    domain_blocking: z.boolean(),
    endorsed: z.boolean(),
    note: z.string(),
  })
  .meta({ id: 'Relationship', description: 'Relationship between the viewer and an account.' })
export type Relationship = z.infer<typeof Relationship>

/** Accounts that the viewer follows and that follow the account `id`. */
export const FamiliarFollowers = z
  .strictObject({ id: Id, accounts: z.array(Account) })
  .meta({ id: 'FamiliarFollowers', description: 'Followers of an account whom the viewer follows.' })
export type FamiliarFollowers = z.infer<typeof FamiliarFollowers>

/** Follows that the viewer would lose by blocking a domain. */
export const DomainBlockPreview = z
  .strictObject({ following_count: z.int().nonnegative(), followers_count: z.int().nonnegative() })
  .meta({ id: 'DomainBlockPreview', description: 'Follows that a domain block would end.' })
export type DomainBlockPreview = z.infer<typeof DomainBlockPreview>
