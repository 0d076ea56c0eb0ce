/** Writes local actors as ActivityPub documents: persons, services, groups, and the instance actor. */

import { activityStreams, actorContext, securityV1 } from './context.js'
import { isoTime } from './time.js'
import { publicCollection } from './uri.js'
import { type EmojiSource, writeEmoji, writeHashtag } from './write-tag.js'

export type ImageSource = { url: string; mediaType: string; description: string | null }

/** A local account, as its owner stores it. Times are ISO 8601; addresses are absolute. */
export type ActorSource = {
  /** Never changes. Every other address of the actor is below it. */
  uri: string
  kind: 'Person' | 'Service' | 'Group'
  username: string
  /** The domain of handles, which may differ from the host of the addresses. */
  handleDomain: string
  /** The HTML page. */
  url: string
  /** Where the whole server receives. */
  sharedInbox: string
  /** SPKI PEM of the RSA key. */
  publicKeyPem: string
  /** The Ed25519 key for object proofs; null when the account has none. */
  ed25519: { uri: string; publicKeyMultibase: string } | null
  publishedAt: string
  locked: boolean
  discoverable: boolean
  indexable: boolean
  memorial: boolean
  /** Tabs of the profile. */
  showFeatured: boolean
  showMedia: boolean
  showRepliesInMedia: boolean
  /** A suspended account is shown without anything its owner wrote. */
  suspended: boolean
  displayName: string
  /** Sanitised HTML, as are the values of fields. */
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

/** Where everything of an actor lives, from its id alone. */
export const actorAddresses = (uri: string) => ({
  inbox: `${uri}/inbox`,
  outbox: `${uri}/outbox`,
  followers: `${uri}/followers`,
  following: `${uri}/following`,
  /** The followers on the server of the client. */
  synchronisation: `${uri}/followers_synchronization`,
  featured: `${uri}/collections/featured`,
  featuredTags: `${uri}/collections/tags`,
  /** Collections of accounts (FEP-7aa9). */
  featuredCollections: `${uri}/featured_collections`,
  /** The fragment is what old servers expect. */
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

/** The name of a hashtag from the end of its page; none where that is no encoded name. */
const namesIn = (end: string): string[] => {
  try {
    const name = decodeURIComponent(end)
    return /^[\p{L}\p{N}\p{M}_·・\u200c]+$/u.test(name) ? [name] : []
  } catch {
    return []
  }
}

/** Featured hashtags, and those in the biography, which links them to their pages here. */
const hashtagsOf = ({ uri, bio, featuredTags }: Pick<ActorSource, 'uri' | 'bio' | 'featuredTags'>) => {
  const pages = `${new URL(uri).origin}/tags/`
  const linked = [...bio.matchAll(/href="([^"]{1,2048})"/g)].flatMap(([, url = '']) =>
    url.startsWith(pages) ? namesIn(url.slice(pages.length)).map((name) => ({ name, url })) : [],
  )
  return [...new Map([...linked, ...featuredTags].map((tag) => [tag.name.toLowerCase(), tag])).values()]
}

/** Creation times have the precision of a day. */
const midnight = (time: string): string => `${isoTime(time).slice(0, 10)}T00:00:00.000Z`

/** What the owner wrote, which is left out while the account is suspended. */
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

/** Actors that may put the account into a collection: all, its followers if it is locked, or only itself. */
const writePolicy = ({ uri, locked, discoverable, suspended }: ActorSource) => {
  const open = locked ? actorAddresses(uri).followers : publicCollection
  return { canFeature: { automaticApproval: [discoverable && !suspended ? open : uri] } }
}

/** The document of an account. Keep it below 64 kB: some inboxes take no more. */
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

/** The instance actor. It is public without a signature, because otherwise two servers in secure mode could never verify each other. */
export type InstanceActorSource = {
  uri: string
  handleDomain: string
  url: string
  sharedInbox: string
  publicKeyPem: string
}

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
