/** Schemas of accounts as their owner reads and edits them. */
import { z } from 'zod'
import { Field, MovedAccount, profileShape } from './account.js'
import { QuotePolicy } from './approval.js'
import { FeaturedTag } from './featured-tag.js'
import { Count, Html, Id, LanguageCode, Url } from './primitive.js'
import { Role } from './role.js'
import { Visibility } from './visibility.js'

/** Texts of a profile as their owner wrote them, and the owner's defaults for new statuses. */
export const AccountSource = z
  .strictObject({
    privacy: Visibility,
    sensitive: z.boolean(),
    language: LanguageCode.nullable(),
    note: z.string(),
    fields: z.array(Field),
    follow_requests_count: Count.max(40),
    hide_collections: z.boolean().nullable(),
    discoverable: z.boolean().nullable(),
    indexable: z.boolean(),
    attribution_domains: z.array(z.string()),
    quote_policy: QuotePolicy,
  })
  .meta({ id: 'AccountSource', description: 'Source texts of the profile, and posting defaults.' })
export type AccountSource = z.infer<typeof AccountSource>

/** The authenticated account. The member `limited` of other accounts is never present. */
export const CredentialAccount = z
  .strictObject({ ...profileShape, moved: MovedAccount.optional(), source: AccountSource, role: Role })
  .meta({ id: 'CredentialAccount', description: 'The account of the signed-in user.' })
export type CredentialAccount = z.infer<typeof CredentialAccount>

/** A profile in the form for its editor. `avatar` and `header` are null while the account uses the default pictures. */
export const Profile = z
  .strictObject({
    id: Id,
    display_name: z.string(),
    note: z.string(),
    formatted_note: Html,
    fields: z.array(Field),
    formatted_fields: z.array(Field),
    avatar: Url.nullable(),
    avatar_static: Url.nullable(),
    avatar_description: z.string(),
    header: Url.nullable(),
    header_static: Url.nullable(),
    header_description: z.string(),
    locked: z.boolean(),
    bot: z.boolean(),
    hide_collections: z.boolean().nullable(),
    discoverable: z.boolean().nullable(),
    indexable: z.boolean(),
    show_media: z.boolean(),
    show_media_replies: z.boolean(),
    show_featured: z.boolean(),
    attribution_domains: z.array(z.string()),
    featured_tags: z.array(FeaturedTag),
  })
  .meta({ id: 'Profile', description: 'The profile of the signed-in user, for editing.' })
export type Profile = z.infer<typeof Profile>
