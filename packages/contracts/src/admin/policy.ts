/** The instance policy: what admin publishes and every service reads from memory, never by asking. */
import { z } from 'zod'

const access = z.enum(['public', 'authenticated', 'disabled'])

/** Settings that staff may change while the cluster runs, with their defaults. */
export const InstanceSettings = z.object({
  site_title: z.string().default('Murmuration'),
  site_short_description: z.string().default(''),
  site_contact_email: z.string().default(''),
  /** Account id of the contact person. */
  site_contact_account: z.string().nullable().default(null),
  registrations_mode: z.enum(['none', 'approved', 'open']).default('none'),
  closed_registrations_message: z.string().default(''),
  require_invite_text: z.boolean().default(false),
  min_age: z.int().nullable().default(null),
  profile_directory: z.boolean().default(true),
  /** Handles of people whom newcomers are shown first: `alice, bob@example.org`. */
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
  /** Most characters of a status. */
  max_characters: z.int().default(500),
  languages: z.array(z.string()).default(['en']),
  /** Days for which copies of other servers' media are kept; null: without an end. A later view fetches them again. */
  media_cache_retention_period: z.int().nullable().default(null),
  /** Whether people may have their year summed up in December. */
  wrapstodon: z.boolean().default(true),
})
export type InstanceSettings = z.infer<typeof InstanceSettings>

/** Texts of pages, in Markdown: settings too, but too long to be published to every service. */
export const SiteTexts = z.object({
  site_extended_description: z.string().default(''),
  /** The privacy policy; `%{domain}` stands for the domain of this server. */
  site_terms: z.string().default(''),
})
export type SiteTexts = z.infer<typeof SiteTexts>

/** All settings, published or not. */
export const ServerSettings = InstanceSettings.extend(SiteTexts.shape)
export type ServerSettings = z.infer<typeof ServerSettings>

/** Rule for a domain and its subdomains (federation/moderation.md 1). */
export const DomainRule = z.object({
  domain: z.string(),
  severity: z.enum(['noop', 'silence', 'suspend']),
  reject_media: z.boolean(),
  reject_reports: z.boolean(),
  /** Stamp of the block: accounts met later carry it too, so that lifting the block frees them. */
  stamp: z.string().optional(),
})
export type DomainRule = z.infer<typeof DomainRule>

/** One message of the bucket under `domains.<n>`: blocks and allows in chunks that stay far below the 1 MB limit. */
export const DomainChunk = z.object({ blocks: z.array(DomainRule), allows: z.array(z.string()) })
export type DomainChunk = z.infer<typeof DomainChunk>
/** Entries of one chunk. */
export const DOMAIN_CHUNK_SIZE = 4_000

/** Access rules: IP addresses, e-mail providers, e-mail addresses and user names that are refused or need approval. */
export const AccessChunk = z.object({
  ips: z
    .array(
      z.object({
        /** CIDR: `192.0.2.0/24`, `2001:db8::/32`. */
        ip: z.string(),
        severity: z.enum(['sign_up_requires_approval', 'sign_up_block', 'no_access']),
        /** ISO 8601; null without an end. */
        expires_at: z.string().nullable(),
      }),
    )
    .default([]),
  /** Also everything below the domain, and addresses whose mail host it is. */
  email_domains: z.array(z.object({ domain: z.string(), allow_with_approval: z.boolean() })).default([]),
  /** SHA-256 of canonical addresses, in hex. */
  canonical_emails: z.array(z.string()).default([]),
  usernames: z
    .array(
      z.object({
        username: z.string(),
        /** False: any name that contains it. */
        exact: z.boolean(),
        allow_with_approval: z.boolean(),
      }),
    )
    .default([]),
})
export type AccessChunk = z.infer<typeof AccessChunk>

/** The entry under `settings`: settings, and how many chunks of domains (`domains.<n>`) and access (`access.<n>`) are in force. */
export const PolicyHead = z.object({
  settings: InstanceSettings,
  chunks: z.int(),
  access: z.int().optional(),
  rev: z.string(),
})
export type PolicyHead = z.infer<typeof PolicyHead>
