/** JSON-LD contexts of local documents, and the few values that are read from contexts of remote documents. */

import { isJsonObject, type JsonObject, listOf, prop } from './json.js'
import { readLanguage } from './read-text.js'

export const activityStreams = 'https://www.w3.org/ns/activitystreams'
export const securityV1 = 'https://w3id.org/security/v1'

const asId = (id: string) => ({ '@id': id, '@type': '@id' })

/**
 * IRIs of the extension terms.
 *
 * Servers without a JSON-LD processor match terms as plain text, so a term must not be renamed. `schema` is
 * `http://schema.org#`, not the official `http://schema.org/`, because other fediverse servers use that form.
 */
const terms = {
  manuallyApprovesFollowers: 'as:manuallyApprovesFollowers',
  sensitive: 'as:sensitive',
  Hashtag: 'as:Hashtag',
  movedTo: asId('as:movedTo'),
  alsoKnownAs: asId('as:alsoKnownAs'),
  toot: 'http://joinmastodon.org/ns#',
  Emoji: 'toot:Emoji',
  discoverable: 'toot:discoverable',
  indexable: 'toot:indexable',
  memorial: 'toot:memorial',
  suspended: 'toot:suspended',
  showFeatured: 'toot:showFeatured',
  showMedia: 'toot:showMedia',
  showRepliesInMedia: 'toot:showRepliesInMedia',
  blurhash: 'toot:blurhash',
  votersCount: 'toot:votersCount',
  featured: asId('toot:featured'),
  featuredTags: asId('toot:featuredTags'),
  featuredCollections: asId('https://w3id.org/fep/7aa9#featuredCollections'),
  FeaturedCollection: 'https://w3id.org/fep/7aa9#FeaturedCollection',
  FeaturedItem: 'https://w3id.org/fep/7aa9#FeaturedItem',
  FeatureRequest: 'https://w3id.org/fep/7aa9#FeatureRequest',
  FeatureAuthorization: 'https://w3id.org/fep/7aa9#FeatureAuthorization',
  featuredObject: asId('https://w3id.org/fep/7aa9#featuredObject'),
  featuredObjectType: { '@id': 'https://w3id.org/fep/7aa9#featuredObjectType', '@type': '@vocab' },
  featureAuthorization: asId('https://w3id.org/fep/7aa9#featureAuthorization'),
  topic: asId('https://w3id.org/fep/7aa9#topic'),
  focalPoint: { '@container': '@list', '@id': 'toot:focalPoint' },
  attributionDomains: { '@container': '@set', '@id': 'toot:attributionDomains' },
  schema: 'http://schema.org#',
  PropertyValue: 'schema:PropertyValue',
  value: 'schema:value',
  ostatus: 'http://ostatus.org#',
  atomUri: 'ostatus:atomUri',
  inReplyToAtomUri: 'ostatus:inReplyToAtomUri',
  conversation: 'ostatus:conversation',
  quote: asId('https://w3id.org/fep/044f#quote'),
  quoteAuthorization: asId('https://w3id.org/fep/044f#quoteAuthorization'),
  QuoteRequest: 'https://w3id.org/fep/044f#QuoteRequest',
  QuoteAuthorization: 'https://w3id.org/fep/044f#QuoteAuthorization',
  quoteUri: 'http://fedibird.com/ns#quoteUri',
  _misskey_quote: 'https://misskey-hub.net/ns#_misskey_quote',
  quoteUrl: 'as:quoteUrl',
  gts: 'https://gotosocial.org/ns#',
  interactionPolicy: asId('gts:interactionPolicy'),
  canQuote: asId('gts:canQuote'),
  canFeature: asId('https://w3id.org/fep/7aa9#canFeature'),
  automaticApproval: asId('gts:automaticApproval'),
  manualApproval: asId('gts:manualApproval'),
  approvedBy: asId('gts:approvedBy'),
  replyAuthorization: asId('gts:replyAuthorization'),
  interactingObject: asId('gts:interactingObject'),
  interactionTarget: asId('gts:interactionTarget'),
} as const

type Term = keyof typeof terms

const pick = (...names: Term[]) => Object.fromEntries(names.map((name) => [name, terms[name]]))

/** JSON-LD context of actor documents (FEP-2c59 for `webfinger`). */
export const actorContext = [
  activityStreams,
  securityV1,
  'https://purl.archive.org/socialweb/webfinger',
  pick(
    'manuallyApprovesFollowers',
    'Hashtag',
    'movedTo',
    'alsoKnownAs',
    'toot',
    'Emoji',
    'discoverable',
    'indexable',
    'memorial',
    'suspended',
    'showFeatured',
    'showMedia',
    'showRepliesInMedia',
    'featured',
    'featuredTags',
    'featuredCollections',
    'attributionDomains',
    'schema',
    'PropertyValue',
    'value',
    'gts',
    'interactionPolicy',
    'canFeature',
    'automaticApproval',
  ),
] as const

/** JSON-LD context of statuses, with polls and quotes. */
export const noteContext = [
  activityStreams,
  pick(
    'sensitive',
    'Hashtag',
    'toot',
    'Emoji',
    'blurhash',
    'votersCount',
    'focalPoint',
    'ostatus',
    'atomUri',
    'inReplyToAtomUri',
    'conversation',
    'quote',
    'quoteAuthorization',
    'quoteUri',
    '_misskey_quote',
    'quoteUrl',
    'gts',
    'interactionPolicy',
    'canQuote',
    'automaticApproval',
    'manualApproval',
    'approvedBy',
    'replyAuthorization',
  ),
] as const

/** JSON-LD context of quote authorizations, and of the activities about them. */
export const quoteContext = [
  activityStreams,
  {
    ...noteContext[1],
    ...pick('QuoteRequest', 'QuoteAuthorization', 'interactingObject', 'interactionTarget'),
  },
] as const

/** Context of collections of accounts, and of the activities about their items (FEP-7aa9). */
export const featureContext = [
  activityStreams,
  pick(
    'sensitive',
    'Hashtag',
    'toot',
    'discoverable',
    'FeaturedCollection',
    'FeaturedItem',
    'FeatureRequest',
    'FeatureAuthorization',
    'featuredObject',
    'featuredObjectType',
    'featureAuthorization',
    'topic',
    'gts',
    'interactingObject',
    'interactionTarget',
  ),
] as const

/**
 * Context with all terms that this package parses. Documents with an inner signature are compacted with this context. A
 * sender may use other names for terms; after compaction, the terms have the names of this package.
 */
export const readingContext = [
  activityStreams,
  securityV1,
  {
    ...terms,
    Emoji: 'toot:Emoji',
    EmojiReact: 'http://litepub.social/ns#EmojiReact',
    votersCount: 'toot:votersCount',
  },
] as const

/** Definition of the type `RsaSignature2017` of linked-data signatures, which the security context lacks. */
export const signatureContext = { RsaSignature2017: 'https://w3id.org/security#RsaSignature2017' } as const

/** Context of documents without extension terms. The context is a list, because integrity proofs require one. */
export const plainContext = [activityStreams] as const

/** JSON-LD context of the Delete of a status. */
export const tombstoneContext = [activityStreams, pick('ostatus', 'atomUri')] as const

/** JSON-LD context of collections of featured hashtags. */
export const hashtagContext = [activityStreams, pick('Hashtag')] as const

const entriesOf = (document: JsonObject): readonly unknown[] => listOf(prop(document, '@context'), 50)

/** True if the `@context` of the document contains the ActivityStreams address as a string. */
export const isActivityStreams = (document: JsonObject): boolean => entriesOf(document).includes(activityStreams)

/** Language that the `@context` sets for the whole document (`@language`); null if it sets none. */
export const languageOfContext = (document: JsonObject): string | null => {
  const entry = entriesOf(document).find((it) => isJsonObject(it) && prop(it, '@language') !== undefined)
  return isJsonObject(entry) ? readLanguage(prop(entry, '@language')) : null
}
