/**
 * Operations and events about collections: lists of accounts that a user recommends. Collections are public, and each listed
 * account can leave.
 */
import { z } from 'zod'
import {
  Collection,
  CollectionItemResult,
  CollectionResult,
  CollectionsResult,
  CollectionWithAccounts,
} from '../entities/index.js'
import {
  del,
  event,
  flag,
  flagOr,
  get,
  id,
  ids,
  internal,
  json,
  knownOr,
  limit,
  linesOf,
  offset,
  operation,
  optional,
  post,
  put,
  type Route,
  raw,
  text,
  textOrNone,
  user,
} from '../kit/index.js'
import { limits } from '../limits.js'

const read = 'read|read:collections'
const write = 'write|write:collections'

/** Date since which the paths below `/api/v1_alpha` are deprecated. */
const DEPRECATED_SINCE = '2026-06-10'
const both = (make: (path: string, deprecated?: string) => Route | Route[], path: string): Route[] =>
  [make(`/api/v1${path}`), make(`/api/v1_alpha${path}`, DEPRECATED_SINCE)].flat()

/** Operations that change a collection respond without a body and with content type `text/html`, because masto.js refuses other types. */
const done = raw('text/html')

const described = {
  description: text().optional(),
  language: textOrNone(50).optional(),
  tag_name: textOrNone(2_000).optional(),
}

export const createCollection = operation('accounts.collection.create', {
  http: both(post, '/collections'),
  viewer: user(write),
  creates: true,
  input: z.object({
    ...described,
    name: text().optional(),
    sensitive: flagOr(false),
    discoverable: flagOr(true),
    account_ids: ids(null).default([]),
  }),
  output: CollectionResult,
  errors: ['forbidden', 'not_found', 'unprocessable'],
  about: 'Creates a collection, with accounts in it when they are given.',
})

export const showCollection = operation('accounts.collection.show', {
  http: both(get, '/collections/:id'),
  viewer: optional(read),
  input: z.object({ id: id() }),
  output: CollectionWithAccounts,
  errors: ['forbidden', 'not_found'],
  cache: 'anonymous',
  about: 'A collection with its owner and its accounts.',
})

export const updateCollection = operation('accounts.collection.update', {
  http: both(put, '/collections/:id'),
  viewer: user(write),
  input: z.object({
    ...described,
    id: id(),
    name: text().optional(),
    sensitive: flag(),
    discoverable: flag(),
  }),
  output: CollectionResult,
  errors: ['forbidden', 'not_found', 'unprocessable'],
  about: 'Changes the name, description or settings of a collection.',
})

export const removeCollection = operation('accounts.collection.remove', {
  http: both(del, '/collections/:id'),
  viewer: user(write),
  input: z.object({ id: id() }),
  output: done,
  errors: ['forbidden', 'not_found'],
  about: 'Deletes a collection.',
})

export const collectionsOfAccount = operation('accounts.collection.list', {
  http: both(get, '/accounts/:id/collections'),
  viewer: optional(read),
  input: z.object({
    id: id(),
    limit: limit(limits.pages.collections.default, limits.pages.collections.max),
    offset: offset(),
  }),
  output: json(CollectionsResult, ['limit']),
  errors: ['not_found'],
  cache: 'anonymous',
  about: 'Collections of an account. Other users see only discoverable ones.',
})

export const collectionsWithAccount = operation('accounts.collection.containing', {
  http: both(get, '/accounts/:id/in_collections'),
  viewer: user(read),
  input: z.object({
    id: id(),
    limit: limit(limits.pages.inCollections.default, limits.pages.inCollections.max),
    offset: offset(),
  }),
  output: json(CollectionsResult, ['limit']),
  errors: ['forbidden', 'not_found'],
  about: 'Collections of other users that contain the signed-in user.',
})

export const addCollectionItem = operation('accounts.collection-item.add', {
  http: both(post, '/collections/:collection_id/items'),
  viewer: user(write),
  input: z.object({ collection_id: id(), account_id: id().optional() }),
  output: CollectionItemResult,
  errors: ['forbidden', 'not_found', 'unprocessable'],
  about: 'Adds an account to a collection. A remote account is pending until its server agrees.',
})

const item = z.object({ collection_id: id(), id: id() })

export const removeCollectionItem = operation('accounts.collection-item.remove', {
  http: both(del, '/collections/:collection_id/items/:id'),
  viewer: user(write),
  input: item,
  output: done,
  errors: ['forbidden', 'not_found'],
  about: 'Removes an account from a collection.',
})

export const revokeCollectionItem = operation('accounts.collection-item.revoke', {
  http: both(post, '/collections/:collection_id/items/:id/revoke'),
  viewer: user(write),
  input: item,
  output: done,
  errors: ['forbidden', 'not_found'],
  about: 'Removes the signed-in user from a collection of another user.',
})

export const collectionCards = operation('accounts.collection.cards', {
  viewer: internal(),
  large: true,
  input: z.object({
    /** Account id of the viewer; null for an anonymous viewer. */
    viewer: z.string().nullable(),
    ids: z.array(z.string()).max(200),
  }),
  output: linesOf(Collection),
  about: 'Collection JSON by id as one viewer sees it. Collections that the viewer may not see are left out.',
})

export const collectionCreated = event('accounts.collection.created', {
  data: z.object({ id: z.string(), owner: z.string(), discoverable: z.boolean() }),
  about: 'A local user created a collection.',
})

export const collectionChanged = event('accounts.collection.changed', {
  data: z.object({
    id: z.string(),
    owner: z.string(),
    /** Ids of the local accounts in the collection, which are notified. */ accounts: z.array(z.string()),
    /** Whether the collection was discoverable before the change and is now. Absent for collections of other servers. */
    discoverable: z.object({ before: z.boolean(), after: z.boolean() }).optional(),
  }),
  about: 'The name, description or settings of a collection changed.',
})

export const collectionRemoved = event('accounts.collection.removed', {
  data: z.object({ id: z.string(), owner: z.string(), discoverable: z.boolean().optional() }),
  about: 'A collection was deleted.',
})

const collectionItem = z.object({
  id: z.string(),
  collection: z.string(),
  owner: z.string(),
  ownerLocal: z.boolean(),
  account: z.string(),
  accountLocal: z.boolean(),
  state: knownOr(z.enum(['pending', 'accepted', 'rejected', 'revoked']), 'revoked'),
  /** Address of the remote collection that a local account left; its server is informed. */
  left: z.string().optional(),
})

export const collectionItemAdded = event('accounts.collection-item.added', {
  data: collectionItem,
  about:
    'An account was added to a collection. A remote account is pending; the event is sent again when its server agrees.',
})

export const collectionItemRemoved = event('accounts.collection-item.removed', {
  data: collectionItem,
  about: 'The owner removed an account from a collection, or the account left it.',
})
