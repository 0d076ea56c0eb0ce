/** The instance policy. The admin service publishes it, and every other service reads its copy in memory. */
import { z } from 'zod'
import { knownOr } from '../kit/index.js'

const access = z.enum(['public', 'authenticated', 'disabled'])

/** Settings that staff may change at run time, with their defaults. */
export const InstanceSettings = z.object({
  site_title: z.string().default('Murmuration'),
  site_short_description: z.string().default(''),
  site_contact_email: z.string().default(''),
  /** Account id of the contact account. */
  site_contact_account: z.string().nullable().default(null),
  registrations_mode: z.enum(['none', 'approved', 'open']).default('none'),
  closed_registrations_message: z.string().default(''),
  require_invite_text: z.boolean().default(false),
  min_age: z.int().nullable().default(null),
  profile_directory: z.boolean().default(true),
  /** Handles of accounts suggested first to new users: `alice, bob@example.org`. */
  bootstrap_timeline_accounts: z.string().default(''),
  trends: z.boolean().default(true),
  trendable_by_default: z.boolean().default(false),
  local_live_feed_access: access.default('public'),
  remote_live_feed_access: access.default('public'),
  local_topic_feed_access: access.default('public'),
  remote_topic_feed_access: access.default('public'),
  show_domain_blocks: z.enum(['disabled', 'users', 'all']).default('disabled'),
  show_domain_blocks_rationale: z.enum(['disabled', 'users', 'all']).default('disabled'),
  activity_api_enabled: z.boolean().default(true),
  peers_api_enabled: z.boolean().default(true),
  status_page_url: z.string().nullable().default(null),
  /** Maximum number of characters of a status. */
  max_characters: z.int().default(500),
  languages: z.array(z.string()).default(['en']),
  /**
   * Days for which cached copies of remote media are kept; null keeps them permanently. If a user views a removed file
   * later, it is fetched again.
   */
  media_cache_retention_period: z.int().nullable().default(null),
  /** True when users can get an annual report in December. */
  wrapstodon: z.boolean().default(true),
})
export type InstanceSettings = z.infer<typeof InstanceSettings>

/** Strictest values of settings. They apply if the stored value is known only to a newer release. Other settings get their default then. */
const STRICTEST: Partial<InstanceSettings> = {
  registrations_mode: 'none',
  local_live_feed_access: 'disabled',
  remote_live_feed_access: 'disabled',
  local_topic_feed_access: 'disabled',
  remote_topic_feed_access: 'disabled',
  show_domain_blocks: 'disabled',
  show_domain_blocks_rationale: 'disabled',
}

/**
 * Returns a schema that replaces values that this release does not know. A newer release may have stored them during a
 * rolling update or before a downgrade.
 */
const storedForm = <S extends z.ZodObject>(schema: S): S => {
  const usual: Record<string, unknown> = { ...schema.parse({}), ...STRICTEST }
  const entries = Object.entries(schema.shape as Record<string, z.ZodType>)
  return z.object(Object.fromEntries(entries.map(([name, one]) => [name, one.catch(usual[name])]))) as never
}

/** Settings with long page texts in Markdown, which are not published to other services. */
export const SiteTexts = z.object({
  site_extended_description: z.string().default(''),
  /** Privacy policy; `%{domain}` is replaced by the domain of this server. */
  site_terms: z.string().default(''),
})
export type SiteTexts = z.infer<typeof SiteTexts>

/** All settings, published to other services or not. */
export const ServerSettings = InstanceSettings.extend(SiteTexts.shape)
export type ServerSettings = z.infer<typeof ServerSettings>

/** Schema of the settings as stored in PostgreSQL. `PublishedSettings`: schema of the settings in the published policy. */
export const StoredSettings = storedForm(ServerSettings)
const PublishedSettings = storedForm(InstanceSettings)

/** Rule of a domain block, for a domain and its subdomains. */
export const DomainRule = z.object({
  domain: z.string(),
  severity: knownOr(z.enum(['noop', 'silence', 'suspend']), 'suspend'),
  reject_media: z.boolean(),
  reject_reports: z.boolean(),
  /** Stamp of the domain block. Accounts that are stored after the block get it too, so that the removal of the block restores them. */
  stamp: z.string().optional(),
})
export type DomainRule = z.infer<typeof DomainRule>

/** Entry `domains.<n>` of the policy bucket: a chunk of domain blocks and allows, well below the limit of 1 MB. */
export const DomainChunk = z.object({ blocks: z.array(DomainRule), allows: z.array(z.string()) })
export type DomainChunk = z.infer<typeof DomainChunk>
/** Maximum number of domains in one chunk of the policy. */
export const DOMAIN_CHUNK_SIZE = 4_000

/** Access rules: IP addresses, e-mail domains, e-mail addresses and usernames that are refused or need approval. */
export const AccessChunk = z.object({
  ips: z
    .array(
      z.object({
        /** IP range in CIDR notation: `192.0.2.0/24`, `2001:db8::/32`. */
        ip: z.string(),
        severity: knownOr(z.enum(['sign_up_requires_approval', 'sign_up_block', 'no_access']), 'no_access'),
        /** ISO 8601; time when the rule expires, null for no expiry. */
        expires_at: z.string().nullable(),
      }),
    )
    .default([]),
  /** Rules for e-mail domains. Each rule also applies to subdomains, and to domains whose mail server is in the domain. */
  email_domains: z.array(z.object({ domain: z.string(), allow_with_approval: z.boolean() })).default([]),
  /** SHA-256 hashes of canonical e-mail addresses that are blocked, in hexadecimal. */
  canonical_emails: z.array(z.string()).default([]),
  usernames: z
    .array(
      z.object({
        username: z.string(),
        /** True: only this username matches. False: every username that contains it matches. */
        exact: z.boolean(),
        allow_with_approval: z.boolean(),
      }),
    )
    .default([]),
})
export type AccessChunk = z.infer<typeof AccessChunk>

/**
 * Entry `settings` of the policy bucket: the settings, and the numbers of valid chunks of domains (`domains.<n>`) and
 * of access rules (`access.<n>`).
 */
export const PolicyHead = z.object({
  settings: PublishedSettings,
  chunks: z.int(),
  access: z.int().optional(),
  rev: z.string(),
})
export type PolicyHead = z.infer<typeof PolicyHead>
