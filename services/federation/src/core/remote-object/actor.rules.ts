/** Converts a remote actor to the form that the accounts service stores: proved handle, clean HTML, keys as PEM. */

import type { IncomingActor } from '@murmuration/activitypub/vocabulary/actor'
import type { RemoteActor } from '@murmuration/contracts/accounts'
import { sanitiseRemoteHtml } from '@murmuration/text'
import { policyGroups } from './approval-group.rules.js'
import { oneLineText } from './plain-name.rules.js'

export type ProvedHandle = { readonly username: string; readonly domain: string }

/**
 * Counts of followers, followed accounts and statuses, as the actor's server states them; null if the server states
 * none.
 */
export type Totals = {
  readonly followers: number | null
  readonly following: number | null
  readonly statuses: number | null
  /** True if the server hides the lists of followers and followed accounts. */
  readonly hidden: boolean | null
}

export const noTotals: Totals = { followers: null, following: null, statuses: null, hidden: null }

/** Maximum number of UTF-8 bytes of the value of a profile field. */
const fieldValueBytes = 2_047

export const remoteActor = (
  actor: IncomingActor,
  proved: {
    handle: ProvedHandle
    keys: readonly { id: string; pem: string }[]
    /** Ids of keys that could not be fetched now. */
    unread: readonly string[]
    totals: Totals
  },
): RemoteActor => ({
  uri: actor.uri,
  username: proved.handle.username,
  domain: proved.handle.domain,
  type: actor.kind,
  url: actor.url,
  display_name: oneLineText(actor.name),
  note: sanitiseRemoteHtml(actor.bio),
  fields: actor.fields.map((it) => ({
    name: oneLineText(it.name),
    value: sanitiseRemoteHtml(it.value, { maxLength: fieldValueBytes }),
  })),
  inbox_url: actor.inbox,
  shared_inbox_url: actor.sharedInbox,
  outbox_url: actor.outbox,
  followers_url: actor.followers,
  following_url: actor.following,
  featured_url: actor.featured,
  featured_tags_url: actor.featuredTags,
  featured_collections_url: actor.featuredCollections,
  feature_policy: actor.featurePolicy && policyGroups(actor.featurePolicy, { ...actor, owner: actor.uri }),
  locked: actor.locked,
  discoverable: actor.discoverable,
  indexable: actor.indexable,
  memorial: actor.memorial,
  show_featured: actor.showFeatured,
  show_media: actor.showMedia,
  show_media_replies: actor.showRepliesInMedia,
  attribution_domains: [...actor.attributionDomains],
  suspended: actor.suspended,
  avatar_url: actor.avatar?.url ?? null,
  avatar_description: actor.avatar?.description ?? '',
  header_url: actor.header?.url ?? null,
  header_description: actor.header?.description ?? '',
  keys: [...proved.keys],
  unread_keys: [...proved.unread],
  emojis: actor.emojis.map(({ shortcode, url, updated }) => ({ shortcode, url, updated })),
  also_known_as: [...actor.aliases],
  moved_to: actor.movedTo,
  published: actor.published,
  followers_count: proved.totals.followers,
  following_count: proved.totals.following,
  statuses_count: proved.totals.statuses,
  hide_collections: proved.totals.hidden,
})
