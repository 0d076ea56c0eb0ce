/** The JSON-LD contexts: what we put at the head of our documents, and the little we read at the head of others'. */

import { isLoose, type Loose, listOf, prop } from './loose.js'
import { readLanguage } from './read-text.js'

export const activityStreams = 'https://www.w3.org/ns/activitystreams'
export const securityV1 = 'https://w3id.org/security/v1'

const asId = (id: string) => ({ '@id': id, '@type': '@id' })

/**
 * What each extension term means. Servers that do not run JSON-LD match on these very names, and the `schema` address is
 * wrong on purpose: it is the one everybody uses.
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

/** The vocabulary of actors (FEP-2c59 for `webfinger`). */
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

/** The vocabulary of statuses, polls and quotes. */
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

/** For quote authorizations, and for requests and answers about them. */
export const quoteContext = [
  activityStreams,
  {
    ...noteContext[1],
    ...pick('QuoteRequest', 'QuoteAuthorization', 'interactingObject', 'interactionTarget'),
  },
] as const

/** For collections of accounts, and for requests and answers about their members (FEP-7aa9). */
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
 * All words that we read, for documents that are judged by what they mean as a graph: what others spelt differently reads as
 * ours afterwards.
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

/** The type of linked-data signatures, which the security vocabulary itself does not define. */
export const signatureContext = { RsaSignature2017: 'https://w3id.org/security#RsaSignature2017' } as const

/** For documents that use nothing but the standard. A list, so that proofs can repeat it. */
export const plainContext = [activityStreams] as const

/** For Delete and Undo of statuses. */
export const tombstoneContext = [activityStreams, pick('ostatus', 'atomUri')] as const

/** For featured hashtags. */
export const hashtagContext = [activityStreams, pick('Hashtag')] as const

const entriesOf = (document: Loose): readonly unknown[] => listOf(prop(document, '@context'), 50)

/** True when the document declares ActivityStreams by a plain string. */
export const isActivityStreams = (document: Loose): boolean => entriesOf(document).includes(activityStreams)

/** The language that the context sets for the whole document, if any. */
export const languageOfContext = (document: Loose): string | null => {
  const entry = entriesOf(document).find((it) => isLoose(it) && prop(it, '@language') !== undefined)
  return isLoose(entry) ? readLanguage(prop(entry, '@language')) : null
}
