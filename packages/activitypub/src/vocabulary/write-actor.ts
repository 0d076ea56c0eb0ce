/** Writes actor documents of local accounts and of the instance actor. */

import { normaliseTag } from '@murmuration/text'
import { activityStreams, actorContext, securityV1 } from './context.js'
import { isoTime } from './time.js'
import { publicCollection } from './uri.js'
import { type EmojiSource, writeEmoji, writeHashtag } from './write-tag.js'

export type ImageSource = { url: string; mediaType: string; description: string | null }

/** Data of a local account for its actor document. Times are ISO 8601, addresses are absolute. */
export type ActorSource = {
  /** Actor id. An actor id never changes, and the other addresses of the actor begin with it. */
  uri: string
  kind: 'Person' | 'Service' | 'Group'
  username: string
  /** Domain of the handles of local accounts, which may differ from the host of their addresses. */
  handleDomain: string
  /** Address of the HTML profile page of the account. */
  url: string
  /** Shared inbox of this server. */
  sharedInbox: string
  /** RSA public key of the actor, as SPKI PEM. */
  publicKeyPem: string
  /** Ed25519 key for integrity proofs; null if the account has none. */
  ed25519: { uri: string; publicKeyMultibase: string } | null
  publishedAt: string
  locked: boolean
  discoverable: boolean
  indexable: boolean
  memorial: boolean
  /** Tabs of the profile that are shown. */
  showFeatured: boolean
  showMedia: boolean
  showRepliesInMedia: boolean
  /** True for a suspended account. The document of a suspended account has no content of its owner. */
  suspended: boolean
  displayName: string
  /** Biography as sanitised HTML. The values of profile fields are sanitised HTML too. */
  bio: string
  fields: readonly { name: string; value: string }[]
  avatar: ImageSource | null
  header: ImageSource | null
  emojis: readonly EmojiSource[]
  featuredTags: readonly { name: string; url: string }[]
  movedTo: string | null
  aliases: readonly string[]
  attributionDomains: readonly string[]
}

/** Addresses of the inbox and the collections of a local actor, derived from its id. */
export const actorAddresses = (uri: string) => ({
  inbox: `${uri}/inbox`,
  outbox: `${uri}/outbox`,
  followers: `${uri}/followers`,
  following: `${uri}/following`,
  /** Address of the list of followers on the server that signs the request (FEP-8fcf). */
  synchronisation: `${uri}/followers_synchronization`,
  featured: `${uri}/collections/featured`,
  featuredTags: `${uri}/collections/tags`,
  /** Address of the actor's list of collections of accounts (FEP-7aa9). */
  featuredCollections: `${uri}/featured_collections`,
  /** Id of the RSA key of the actor. Old servers expect the fragment `main-key`. */
  mainKey: `${uri}#main-key`,
})

const writeKey = (actor: string, publicKeyPem: string) => ({
  id: actorAddresses(actor).mainKey,
  owner: actor,
  publicKeyPem: publicKeyPem.endsWith('\n') ? publicKeyPem : `${publicKeyPem}\n`,
})

const writeImage = (it: ImageSource) => ({
  type: 'Image',
  mediaType: it.mediaType,
  url: it.url,
  ...(it.description ? { summary: it.description } : {}),
})

/**
 * Name of a hashtag from the last part of the address of its page, as a list of one; an empty list if that part is not
 * a valid name.
 */
const namesIn = (end: string): string[] => {
  try {
    const name = decodeURIComponent(end)
    return /^[\p{L}\p{N}\p{M}_·・\u200c]+$/u.test(name) ? [name] : []
  } catch {
    return []
  }
}

/**
 * Links in a biography, and the address of a link. Their lengths are limited so that long texts cost little. The address of the
 * longest hashtag (500 UTF-16 units) has 4,500 characters after its beginning.
 */
const LINK = /<a\b[^>]{1,10240}>/g
const HREF = /\shref="([^"]{1,8192})"/

/**
 * Hashtags of an actor: featured hashtags, and hashtags in the biography, which are found by their links. Each hashtag
 * is contained once.
 */
const hashtagsOf = ({ uri, bio, featuredTags }: Pick<ActorSource, 'uri' | 'bio' | 'featuredTags'>) => {
  const pages = `${new URL(uri).origin}/tags/`
  const linked = [...bio.matchAll(LINK)].flatMap(([link]) => {
    const url = HREF.exec(link)?.[1] ?? ''
    const isTag = /\srel="(?:[^"]*\s)?tag(?:\s[^"]*)?"/.test(link)
    return isTag && url.startsWith(pages) ? namesIn(url.slice(pages.length)).map((name) => ({ name, url })) : []
  })
  return [
    ...new Map(
      [...linked, ...featuredTags].map((tag) => [normaliseTag(tag.name) || tag.name.toLowerCase(), tag]),
    ).values(),
  ]
}

/** The time reduced to the day, in UTC, because the exact creation time is not published. */
const midnight = (time: string): string => `${isoTime(time).slice(0, 10)}T00:00:00.000Z`

/**
 * Properties of an actor document with content of the account's owner. For a suspended account, they contain only the
 * user name.
 */
const writeProfile = (source: ActorSource) =>
  source.suspended
    ? { name: source.username, summary: '', tag: [], attachment: [], suspended: true }
    : {
        name: source.displayName || source.username,
        summary: source.bio,
        tag: [...source.emojis.map(writeEmoji), ...hashtagsOf(source).map(writeHashtag)],
        attachment: source.fields.map(({ name, value }) => ({ type: 'PropertyValue', name, value })),
        ...(source.avatar ? { icon: writeImage(source.avatar) } : {}),
        ...(source.header ? { image: writeImage(source.header) } : {}),
      }

/**
 * Policy for adding the account to collections (FEP-7aa9).
 *
 * | Account | Permitted without approval |
 * |---|---|
 * | suspended or not discoverable | only itself |
 * | locked | its followers |
 * | any other | all actors |
 */
const writePolicy = ({ uri, locked, discoverable, suspended }: ActorSource) => {
  const open = locked ? actorAddresses(uri).followers : publicCollection
  return { canFeature: { automaticApproval: [discoverable && !suspended ? open : uri] } }
}

/** Writes the actor document of an account. The document must stay below 64 kB, because some inboxes refuse larger documents. */
export const writeActor = (source: ActorSource) => {
  const { uri, suspended, ed25519 } = source
  const { mainKey, synchronisation: _asked, ...addresses } = actorAddresses(uri)
  return {
    '@context': ed25519 ? [...actorContext, 'https://www.w3.org/ns/cid/v1'] : actorContext,
    id: uri,
    type: source.kind,
    ...addresses,
    preferredUsername: source.username,
    webfinger: `${source.username}@${source.handleDomain}`,
    ...writeProfile(source),
    url: source.url,
    manuallyApprovesFollowers: source.locked && !suspended,
    discoverable: source.discoverable && !suspended,
    indexable: source.indexable && !suspended,
    memorial: source.memorial && !suspended,
    showFeatured: source.showFeatured,
    showMedia: source.showMedia,
    showRepliesInMedia: source.showRepliesInMedia,
    interactionPolicy: writePolicy(source),
    published: midnight(source.publishedAt),
    ...(source.movedTo ? { movedTo: source.movedTo } : {}),
    ...(source.aliases.length > 0 ? { alsoKnownAs: source.aliases } : {}),
    ...(source.attributionDomains.length > 0 ? { attributionDomains: source.attributionDomains } : {}),
    publicKey: writeKey(uri, source.publicKeyPem),
    ...(ed25519
      ? {
          assertionMethod: [
            { id: ed25519.uri, type: 'Multikey', controller: uri, publicKeyMultibase: ed25519.publicKeyMultibase },
          ],
        }
      : {}),
    endpoints: { sharedInbox: source.sharedInbox },
  }
}

/**
 * Data of the instance actor. The document of the instance actor is public even with AUTHORIZED_FETCH. Otherwise two
 * servers with that setting could not verify each other.
 */
export type InstanceActorSource = {
  uri: string
  handleDomain: string
  url: string
  sharedInbox: string
  publicKeyPem: string
}

/** Writes the document of the instance actor. */
export const writeInstanceActor = (source: InstanceActorSource) => {
  const { inbox, outbox } = actorAddresses(source.uri)
  return {
    '@context': [activityStreams, securityV1, actorContext[3]],
    id: source.uri,
    type: 'Application',
    inbox,
    outbox,
    preferredUsername: source.handleDomain,
    url: source.url,
    manuallyApprovesFollowers: true,
    publicKey: writeKey(source.uri, source.publicKeyPem),
    endpoints: { sharedInbox: source.sharedInbox },
  }
}
