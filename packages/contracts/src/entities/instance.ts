/** Schemas of the metadata of the server: the current form (v2) and the older one (v1). */
import { z } from 'zod'
import { Account } from './account.js'
import { Html, Id, LanguageCode, Url, WebSocketUrl } from './primitive.js'

const size = z.int().positive()

/** A rule of the server. `translations` are by language code. */
export const Rule = z
  .strictObject({
    id: Id,
    text: z.string(),
    hint: z.string(),
    translations: z.record(LanguageCode, z.strictObject({ text: z.string(), hint: z.string() })),
  })
  .meta({ id: 'Rule', description: 'A rule of the server.' })
export type Rule = z.infer<typeof Rule>

const statuses = z.strictObject({
  max_characters: size,
  max_media_attachments: size,
  characters_reserved_per_url: size,
})
const mediaLimits = {
  supported_mime_types: z.array(z.string().regex(/^[a-z]+\/[a-z0-9.+-]+$/)),
  image_size_limit: size,
  image_matrix_limit: size,
  video_size_limit: size,
  video_frame_rate_limit: size,
  video_matrix_limit: size,
}
const polls = z.strictObject({
  max_options: size,
  max_characters_per_option: size,
  min_expiration: size,
  max_expiration: size,
})
const feedAccess = z.enum(['public', 'authenticated', 'disabled'])
const access = z.strictObject({ local: feedAccess, remote: feedAccess })

/** Limits of the server: sizes in bytes, image areas in pixels, expirations in seconds, lengths in characters. */
export const InstanceConfiguration = z
  .strictObject({
    urls: z.strictObject({
      streaming: WebSocketUrl,
      status: Url.nullable(),
      about: Url.nullable(),
      privacy_policy: Url.nullable(),
      terms_of_service: Url.nullable(),
    }),
    vapid: z.strictObject({ public_key: z.string() }),
    accounts: z.strictObject({
      max_display_name_length: size,
      max_note_length: size,
      max_avatar_description_length: size,
      max_header_description_length: size,
      max_featured_tags: size,
      max_pinned_statuses: size,
      max_profile_fields: size,
      profile_field_name_limit: size,
      profile_field_value_limit: size,
    }),
    statuses,
    media_attachments: z.strictObject({ description_limit: size, ...mediaLimits }),
    polls,
    translation: z.strictObject({ enabled: z.boolean() }),
    timelines_access: z.strictObject({ live_feeds: access, hashtag_feeds: access, trending_link_feeds: access }),
    limited_federation: z.boolean(),
  })
  .meta({ id: 'InstanceConfiguration', description: 'Limits and addresses that clients need.' })
export type InstanceConfiguration = z.infer<typeof InstanceConfiguration>

/**
 * Metadata of the server in API v2. `version` begins with the Mastodon-compatible version number that clients compare.
 * Newer clients read `api_versions`.
 */
export const Instance = z
  .strictObject({
    domain: z.string().min(1),
    title: z.string(),
    version: z.string().regex(/^\d+\.\d+\.\d+/),
    source_url: Url,
    description: z.string(),
    usage: z.strictObject({ users: z.strictObject({ active_month: z.int().nonnegative() }) }),
    thumbnail: z.strictObject({
      url: Url,
      blurhash: z.string().optional(),
      versions: z.strictObject({ '@1x': Url, '@2x': Url }).partial().optional(),
      description: z.string(),
    }),
    icon: z.array(z.strictObject({ src: Url, size: z.string().regex(/^\d+x\d+$/) })),
    languages: z.array(LanguageCode),
    configuration: InstanceConfiguration,
    registrations: z.strictObject({
      enabled: z.boolean(),
      approval_required: z.boolean(),
      reason_required: z.boolean(),
      /** Message shown while registrations are closed; null while they are open. */
      message: Html.nullable(),
      min_age: z.int().positive().nullable(),
      url: Url.nullable(),
    }),
    api_versions: z.strictObject({ mastodon: z.int().positive() }),
    /** Year for which annual reports are currently available; null without one. */
    wrapstodon: z
      .string()
      .regex(/^\d{4}$/)
      .nullable(),
    contact: z.strictObject({ email: z.string(), account: Account.nullable() }),
    rules: z.array(Rule),
  })
  .meta({ id: 'Instance', description: 'The server, its limits and its rules.' })
export type Instance = z.infer<typeof Instance>

/** Metadata of the server in API v1; `uri` is the bare domain. */
export const V1Instance = z
  .strictObject({
    uri: z.string().min(1),
    title: z.string(),
    short_description: z.string(),
    description: z.string(),
    email: z.string(),
    version: z.string().regex(/^\d+\.\d+\.\d+/),
    urls: z.strictObject({ streaming_api: WebSocketUrl }),
    stats: z.strictObject({
      user_count: z.int().nonnegative(),
      status_count: z.int().nonnegative(),
      domain_count: z.int().nonnegative(),
    }),
    thumbnail: Url,
    languages: z.array(LanguageCode),
    registrations: z.boolean(),
    approval_required: z.boolean(),
    invites_enabled: z.boolean(),
    configuration: z.strictObject({
      accounts: z.strictObject({ max_featured_tags: size }),
      statuses,
      media_attachments: z.strictObject(mediaLimits),
      polls,
    }),
    contact_account: Account.nullable(),
    rules: z.array(Rule),
  })
  .meta({ id: 'V1Instance', description: 'Metadata of the server and its limits, in the form of API v1.' })
export type V1Instance = z.infer<typeof V1Instance>
