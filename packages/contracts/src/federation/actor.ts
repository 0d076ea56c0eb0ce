/** Actor documents, and the collections that belong to an actor. */
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

/** Both paths of an account's documents: by account id, which never changes, and by username. */
const below = (tail: string): string[] => [`/ap/users/:id${tail}`, `/users/:username${tail}`]

export const showInstanceActor = document(
  'actor.instance',
  ['/actor'],
  'The actor that stands for the server; always open.',
)
export const showEmoji = document(
  'emoji.show',
  ['/emojis/:shortcode'],
  'A custom emoji of this server, with the address of its picture; always open.',
  'shortcode',
)
export const showInstanceOutbox = document(
  'actor.instance-outbox',
  ['/actor/outbox'],
  'The outbox of the instance actor, which publishes nothing.',
)
export const showActor = document(
  'actor.show',
  ['/ap/users/:id', '/users/:username'],
  'The actor document of a person; browsers are sent to the profile page.',
)
export const showOutbox = document(
  'collection.outbox',
  below('/outbox'),
  'What a person published: public and unlisted statuses and boosts.',
)
export const showFollowers = document('collection.followers', below('/followers'), 'Who follows a person.')
export const showFollowing = document('collection.following', below('/following'), 'Whom a person follows.')
export const showFeatured = document(
  'collection.featured',
  below('/collections/featured'),
  'Statuses that a person pinned.',
)
export const showFeaturedTags = document(
  'collection.tags',
  below('/collections/tags'),
  'Hashtags that a person features.',
)
export const showFeaturedCollections = document(
  'featured-collection.list',
  below('/featured_collections'),
  'Collections of accounts that a person wants to be found (FEP-7aa9).',
)

/** Operation for the document of an object that belongs to an account and has an id. */
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
  'A collection of accounts with who agreed to be in it; browsers are sent to its page.',
)
export const showFeatureAuthorization = numbered(
  'featured-collection.authorization',
  '/feature_authorizations',
  'item',
  'That a person agreed to be in a collection (FEP-7aa9).',
)
