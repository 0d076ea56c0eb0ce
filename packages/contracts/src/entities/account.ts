/** Schemas of accounts in API responses: the full form, and the short form of notification groups. */
import { z } from 'zod'
import { FeatureApproval } from './approval.js'
import { CustomEmoji } from './custom-emoji.js'
import { Count, Day, Html, Id, Timestamp, Url } from './primitive.js'
import { AccountRole } from './role.js'

/** A profile field. `value` is HTML here, and plain text in the form that the owner edits. */
export const Field = z
  .strictObject({ name: z.string(), value: z.string(), verified_at: Timestamp.nullable() })
  .meta({ id: 'Field', description: 'A profile field.' })
export type Field = z.infer<typeof Field>

/** Members of every account form, without moderation state and moves. */
export const profileShape = {
  id: Id,
  username: z.string().min(1),
  acct: z.string().min(1),
  display_name: z.string(),
  locked: z.boolean(),
  bot: z.boolean(),
  group: z.boolean(),
  discoverable: z.boolean().nullable(),
  indexable: z.boolean(),
  created_at: Timestamp,
  note: Html,
  url: Url,
  uri: Url,
  avatar: Url,
  avatar_static: Url,
  avatar_description: z.string(),
  header: Url,
  header_static: Url,
  header_description: z.string(),
  followers_count: Count,
  following_count: Count,
  statuses_count: Count,
  last_status_at: Day.nullable(),
  hide_collections: z.boolean().nullable(),
  show_media: z.boolean(),
  show_media_replies: z.boolean(),
  show_featured: z.boolean(),
  emojis: z.array(CustomEmoji),
  fields: z.array(Field),
  feature_approval: FeatureApproval,
  /** True if the account should not be indexed by search engines. Only for local accounts. */
  noindex: z.boolean().optional(),
  /** Role of a local account, if the role is highlighted. The list has at most one entry. */
  roles: z.array(AccountRole).max(1).optional(),
  /** `email_subscriptions` is present only while the server offers subscriptions by e-mail. */
  email_subscriptions: z.boolean().optional(),
}

/** Moderation state of an account. Each member is either true or absent, because clients only test whether the member exists. */
const moderationShape = {
  limited: z.literal(true).optional(),
  suspended: z.literal(true).optional(),
  memorial: z.literal(true).optional(),
}

/** The account that another account moved to. If the new account moved again, that move is not included. */
export const MovedAccount = z
  .strictObject({ ...profileShape, ...moderationShape })
  .meta({ id: 'MovedAccount', description: 'The account that another one moved to.' })
export type MovedAccount = z.infer<typeof MovedAccount>

/** Members of a full account. Other forms of an account add members to them. */
export const accountShape = { ...profileShape, ...moderationShape, moved: MovedAccount.optional() }

/** A local or remote account: a person, a group or a bot. */
export const Account = z
  .strictObject(accountShape)
  .meta({ id: 'Account', description: 'A person, group or bot, here or on another server.' })
export type Account = z.infer<typeof Account>

/** Short form of accounts in notification groups. */
export const PartialAccount = z
  .strictObject({
    id: Id,
    acct: z.string().min(1),
    locked: z.boolean(),
    bot: z.boolean(),
    url: Url,
    avatar: Url,
    avatar_static: Url,
    avatar_description: z.string(),
  })
  .meta({ id: 'PartialAccount', description: 'Members of an account that are needed to show its avatar.' })
export type PartialAccount = z.infer<typeof PartialAccount>

/** An account in the list of muted accounts. `mute_expires_at` is null for a mute without a limit. */
export const MutedAccount = z
  .strictObject({ ...accountShape, mute_expires_at: Timestamp.nullable() })
  .meta({ id: 'MutedAccount', description: 'A muted account, with the end of the mute.' })
export type MutedAccount = z.infer<typeof MutedAccount>
