/** The instance documents, with limits from the contracts and texts from the settings. */

import { splice } from '@murmuration/cards'
import type { InstanceSettings } from '@murmuration/contracts/admin'
import type { Account, Instance, Rule, V1Instance } from '@murmuration/contracts/entities'
import { type Json, toJson } from '@murmuration/contracts/kit'
import { limits } from '@murmuration/contracts/limits'
import { registrationsMode, type Site } from '@murmuration/kernel'
import type { Config } from '../config.js'
import { configurationOf, mediaLimitsOf, pollLimitsOf, statusLimitsOf, streamingUrl } from './configuration.js'
import type { InstanceCounts } from './counts.js'
import { BANNER, ICON_SIZES, iconName } from './pictures.js'

/** Release of Mastodon whose client API this product has. Clients compare it before they read `api_versions`. */
const API_VERSION = '4.6.0'
const BANNER_WORDS = 'A flock of small birds turning together above the horizon'

export interface InstanceParts {
  site: Site
  config: Config
  settings: InstanceSettings
  rules: Rule[]
  counts: InstanceCounts
  contact: Json<Account> | null
  /** HTML of the message that is shown while registrations are closed; null if there is none. */
  closedMessage: string | null
  /** Year of the current annual reports; null if there are none. */
  campaign: string | null
  /** True if terms of service are published. */
  hasTerms: boolean
}

const pictureUrl = (site: Site, name: string): string => `${site.origin}/instance/pictures/${name}`

export const instance = (parts: InstanceParts): Json<Instance> => {
  const { site, settings } = parts
  const mode = registrationsMode(parts.config, settings)
  const own = {
    domain: site.localDomain,
    title: settings.site_title,
    version: API_VERSION,
    source_url: site.source,
    description: settings.site_short_description,
    usage: { users: { active_month: parts.counts.activeMonth } },
    thumbnail: { url: pictureUrl(site, BANNER), description: BANNER_WORDS },
    icon: ICON_SIZES.map((size) => ({ src: pictureUrl(site, iconName(size)), size: `${size}x${size}` })),
    languages: settings.languages,
    configuration: configurationOf(parts),
    registrations: {
      enabled: mode !== 'none',
      approval_required: mode === 'approved',
      reason_required: mode === 'approved' && settings.require_invite_text,
      message: mode === 'none' ? parts.closedMessage : null,
      min_age: settings.min_age,
      url: null,
    },
    api_versions: { mastodon: limits.instance.apiVersion },
    wrapstodon: parts.campaign,
    rules: parts.rules,
  }
  const contact = splice(toJson({ email: settings.site_contact_email }), { account: parts.contact ?? 'null' })
  return splice<Instance>(toJson(own), { contact })
}

export const instanceV1 = (parts: InstanceParts): Json<V1Instance> => {
  const { site, config, settings, counts } = parts
  const mode = registrationsMode(config, settings)
  const own = {
    uri: site.localDomain,
    title: settings.site_title,
    short_description: settings.site_short_description,
    description: settings.site_short_description,
    email: settings.site_contact_email,
    version: API_VERSION,
    urls: { streaming_api: streamingUrl(site, config) },
    stats: { user_count: counts.users, status_count: counts.statuses, domain_count: counts.domains },
    thumbnail: pictureUrl(site, BANNER),
    languages: settings.languages,
    registrations: mode !== 'none',
    approval_required: mode === 'approved',
    invites_enabled: counts.invitesEnabled,
    configuration: {
      accounts: { max_featured_tags: limits.accounts.featuredTags },
      statuses: statusLimitsOf(settings),
      media_attachments: mediaLimitsOf(counts.mimeTypes),
      polls: pollLimitsOf(),
    },
    rules: parts.rules,
  }
  return splice<V1Instance>(toJson(own), { contact_account: parts.contact ?? 'null' })
}
