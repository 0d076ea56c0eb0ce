/** Builds the member `configuration` of the instance document: limits of sizes, lengths and times, and URLs. */
import type { InstanceSettings } from '@murmuration/contracts/admin'
import type { InstanceConfiguration } from '@murmuration/contracts/entities'
import { limits } from '@murmuration/contracts/limits'
import type { Site } from '@murmuration/kernel'
import type { Config } from '../config.js'
import type { InstanceCounts } from './counts.js'

/** URL of the streaming API: the configured URL, else the URL of the site. */
export const streamingUrl = (site: Site, config: Pick<Config, 'streamingUrl'>): string =>
  (config.streamingUrl || site.origin).replace(/^http/, 'ws').replace(/\/+$/, '')

export const statusLimitsOf = (settings: InstanceSettings) => ({
  max_characters: settings.max_characters,
  max_media_attachments: limits.statuses.maxMedia,
  characters_reserved_per_url: limits.statuses.charactersPerUrl,
})

export const mediaLimitsOf = (mimeTypes: readonly string[]) => ({
  supported_mime_types: [...mimeTypes],
  image_size_limit: limits.media.imageBytes,
  image_matrix_limit: limits.media.imagePixels,
  video_size_limit: limits.media.videoBytes,
  video_frame_rate_limit: limits.media.videoFramesPerSecond,
  video_matrix_limit: limits.media.videoPixels,
})

export const pollLimitsOf = () => ({
  max_options: limits.polls.maxOptions,
  max_characters_per_option: limits.polls.maxOptionCharacters,
  min_expiration: limits.polls.minSeconds,
  max_expiration: limits.polls.maxSeconds,
})

export const configurationOf = (parts: {
  site: Site
  config: Config
  settings: InstanceSettings
  counts: Pick<InstanceCounts, 'mimeTypes' | 'translates'>
  /** True if terms of service are published. */
  hasTerms: boolean
}): InstanceConfiguration => {
  const { site, config, settings } = parts
  const { accounts, statuses, media } = limits
  const topics = { local: settings.local_topic_feed_access, remote: settings.remote_topic_feed_access }
  return {
    urls: {
      streaming: streamingUrl(site, config),
      status: settings.status_page_url,
      about: `${site.origin}/about`,
      privacy_policy: `${site.origin}/privacy-policy`,
      terms_of_service: parts.hasTerms ? `${site.origin}/terms-of-service` : null,
    },
    vapid: { public_key: config.vapidPublicKey },
    accounts: {
      max_display_name_length: accounts.displayNameCharacters,
      max_note_length: accounts.noteCharacters,
      max_avatar_description_length: accounts.avatarDescriptionCharacters,
      max_header_description_length: accounts.headerDescriptionCharacters,
      max_featured_tags: accounts.featuredTags,
      max_pinned_statuses: statuses.maxPinned,
      max_profile_fields: accounts.fields,
      profile_field_name_limit: accounts.fieldNameCharacters,
      profile_field_value_limit: accounts.fieldValueCharacters,
    },
    statuses: statusLimitsOf(settings),
    media_attachments: { description_limit: media.descriptionCharacters, ...mediaLimitsOf(parts.counts.mimeTypes) },
    polls: pollLimitsOf(),
    translation: { enabled: parts.counts.translates },
    timelines_access: {
      live_feeds: { local: settings.local_live_feed_access, remote: settings.remote_live_feed_access },
      hashtag_feeds: topics,
      trending_link_feeds: topics,
    },
    limited_federation: config.limitedFederation,
  }
}
