/** Operations that return actor documents, and the collections that belong to an actor. */
import { anyone, get, operation, raw } from '../kit/index.js'
import { signed, WITH_HEADERS } from './signed.js'

/** The content type of every ActivityPub document. */
export const ACTIVITY_JSON = 'application/activity+json; charset=utf-8'

const document = (name: string, paths: string[], about: string, ...more: string[]) =>
  operation(`federation.${name}`, {
    http: paths.map((path) => get(path)),
    viewer: anyone(),
    rawBody: WITH_HEADERS,
    input: signed('id', 'username', ...more),
    output: raw(ACTIVITY_JSON),
    large: true,
    errors: ['not_found', 'gone'],
    about,
  })

/** Returns the two paths of a document of an account: by account id, which never changes, and by username. */
const below = (tail: string): string[] => [`/ap/users/:id${tail}`, `/users/:username${tail}`]

export const showInstanceActor = document(
  'actor.instance',
  ['/actor'],
  'The instance actor. Needs no signature, also with AUTHORIZED_FETCH.',
)
export const showEmoji = document(
  'emoji.show',
  ['/emojis/:shortcode'],
  'A custom emoji of this server. Needs no signature, also with AUTHORIZED_FETCH.',
  'shortcode',
)
export const showInstanceOutbox = document(
  'actor.instance-outbox',
  ['/actor/outbox'],
  'The outbox of the instance actor; always empty.',
)
export const showActor = document(
  'actor.show',
  ['/ap/users/:id', '/users/:username'],
  'The actor document of a local account. Browsers are redirected to the profile page.',
)
export const showOutbox = document(
  'collection.outbox',
  below('/outbox'),
  'Public and unlisted statuses and boosts of a local account.',
)
export const showFollowers = document('collection.followers', below('/followers'), 'Followers of a local account.')
export const showFollowing = document(
  'collection.following',
  below('/following'),
  'Accounts that a local account follows.',
)
export const showFeatured = document(
  'collection.featured',
  below('/collections/featured'),
  'Pinned statuses of a local account.',
)
export const showFeaturedTags = document(
  'collection.tags',
  below('/collections/tags'),
  'Featured hashtags of a local account.',
)
export const showFeaturedCollections = document(
  'featured-collection.list',
  below('/featured_collections'),
  'Discoverable collections of a local account (FEP-7aa9).',
)

/** Operation for a document of an account with a further id in its path (`param`), such as a featured collection. */
const numbered = (name: string, tail: string, param: string, about: string) =>
  operation(`federation.${name}`, {
    http: below(`${tail}/:${param}`).map((path) => get(path)),
    viewer: anyone(),
    rawBody: WITH_HEADERS,
    input: signed('id', 'username', param),
    output: raw(ACTIVITY_JSON),
    large: true,
    errors: ['not_found', 'gone'],
    about,
  })

export const showFeaturedCollection = numbered(
  'featured-collection.show',
  '/collections',
  'collection',
  'A collection with the accounts that agreed to be in it. Browsers are redirected to its page.',
)
export const showFeatureAuthorization = numbered(
  'featured-collection.authorization',
  '/feature_authorizations',
  'item',
  'Authorization by which a local account agreed to be in a collection (FEP-7aa9).',
)
