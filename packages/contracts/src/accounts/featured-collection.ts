/** Operations and jobs about collections in ActivityPub form, and consent of the accounts in them (FEP-7aa9). */
import { z } from 'zod'
import { internal, job, olderNames, operation } from '../kit/index.js'
import { limits } from '../limits.js'

export const FeaturedItemSource = z.object({
  id: z.string(),
  account: z.string(),
  accountUri: z.string(),
  kind: z.enum(['Person', 'Service', 'Group']),
  /** Address of the authorization with which the account consents to be in the collection. */
  authorization: z.string(),
  created_at: z.string(),
})
export type FeaturedItemSource = z.infer<typeof FeaturedItemSource>

/** A local collection in ActivityPub form, with the items whose accounts consented. Times are ISO 8601. */
export const FeaturedCollectionSource = z.object({
  id: z.string(),
  owner: z.string(),
  ownerUri: z.string(),
  uri: z.string(),
  /** URL of the collection's page. */
  url: z.string(),
  name: z.string(),
  /** Description of the collection as plain text. */
  description: z.string(),
  language: z.string().nullable(),
  sensitive: z.boolean(),
  discoverable: z.boolean(),
  tag: z.object({ name: z.string(), url: z.string() }).nullable(),
  /** Hashtags in the description of the collection. */
  tags: z.array(z.object({ name: z.string(), url: z.string() })).default([]),
  created_at: z.string(),
  updated_at: z.string(),
  items: z.array(FeaturedItemSource),
})
export type FeaturedCollectionSource = z.infer<typeof FeaturedCollectionSource>

export const collectionSources = operation('accounts.collection.sources', {
  viewer: internal(),
  input: z.object({
    ids: z.array(z.string()).max(50).optional(),
    /** Account id. Returns the discoverable collections of this account, newest first, at most fifty. */
    keptBy: z.string().optional(),
    /** Account id of the reader. Accounts that block the reader are left out. `viewer` is null for anonymous readers. */
    viewer: z.string().nullable(),
  }),
  output: z.object({ collections: z.array(FeaturedCollectionSource) }),
  about: 'Local collections in the form that other servers read. Collections of suspended accounts are left out.',
})

export const collectionRecords = operation('accounts.collection.records', {
  viewer: internal(),
  input: z.object({
    ids: z.array(z.string()).max(200).optional(),
    /** Addresses or page URLs of local collections, and addresses of stored remote collections. */
    uris: z.array(z.string()).max(200).optional(),
    /** Account id. For each collection, the item of this account is returned. */
    member: z.string().optional(),
  }),
  output: z.object({
    records: z.array(
      z.object({
        id: z.string(),
        uri: z.string(),
        /** Account id of the owner of the collection. */
        owner: z.string(),
        /** Id of the item of the account `member` in this collection; absent if it has none. */
        item: z.string().optional(),
      }),
    ),
  }),
  about: 'Collections by id or address, with their owners.',
})

export const collectionItemAuthorization = operation('accounts.collection-item.authorization', {
  viewer: internal(),
  input: z.object({ id: z.string() }),
  output: z.object({
    /** Null unless a local account is in the collection and consented to it. */
    authorization: z.object({ account: z.string(), accountUri: z.string(), collectionUri: z.string() }).nullable(),
  }),
  about: 'The consent of a local account to be in a collection, while it is valid.',
})

export const respondToCollectionItem = operation('accounts.collection-item.answer', {
  viewer: internal(),
  class: 'search',
  input: z.object({
    /** Account id of the account that was added to a local collection and responds. */
    actor: z.string(),
    item: z.string(),
    /** Address of the authorization on the server of that account; null for a refusal. */
    authorization: z.string().max(2_048).nullable(),
  }),
  output: z.object({
    /**
     * `refused`: the actor may not respond to this item. `unproved`: the address contains no valid authorization of
     * this item. `later`: the authorization could not be fetched now.
     */
    outcome: z.enum(['done', 'unchanged', 'refused', 'unproved', 'later']),
  }),
  about:
    'Stores the response of a remote account that was added to a local collection. The authorization of a consent is fetched.',
})

export const revokeCollectionConsent = operation('accounts.collection-item.withdraw', {
  viewer: internal(),
  class: 'write',
  input: z.object({ /** Id of the listed account. */ actor: z.string(), authorization: z.string().max(2_048) }),
  output: z.object({ outcome: z.enum(['done', 'unknown']) }),
  about: 'Withdraws the consent of a remote account to be in a local collection.',
})

export const RemoteCollectionItem = z.object({
  /** Address of the item of the collection. */
  uri: z.string(),
  /** Actor id of the account in the collection. */
  account: z.string(),
  /** Address of the authorization; null if the collection states none. */
  authorization: z.string().nullable(),
})
export type RemoteCollectionItem = z.infer<typeof RemoteCollectionItem>

/** A collection of a remote account. Times are ISO 8601. */
export const RemoteCollection = z.object({
  uri: z.string(),
  /** Actor id of the owner of the collection. */
  ownerUri: z.string(),
  url: z.string().nullable(),
  name: z.string(),
  /** Description of the collection as plain text. */
  description: z.string(),
  language: z.string().nullable(),
  sensitive: z.boolean(),
  discoverable: z.boolean(),
  /** Hashtag of the collection without `#`; null if it has none. */
  tag: z.string().nullable(),
  published: z.string().nullable(),
  updated: z.string().nullable(),
  items: z.array(RemoteCollectionItem).max(limits.accounts.collectionItems),
  /** Addresses of items that the collection document does not embed. */
  named: z.array(z.string().max(2_048)).max(limits.accounts.collectionItems).default([]),
})
export type RemoteCollection = z.infer<typeof RemoteCollection>

export const putRemoteCollection = operation('accounts.collection.put-remote', {
  viewer: internal(),
  class: 'write',
  input: z.object({
    /** Account id of the owner, who sent the collection. */
    actor: z.string(),
    collection: RemoteCollection,
    /** True: stores the collection if it is not stored yet. False: only updates a stored collection. */
    make: z.boolean(),
    /** True: queues fetches of unknown accounts in the collection, and of the authorizations of its items. */
    look: z.boolean(),
  }),
  output: z.object({ outcome: z.enum(['done', 'unchanged', 'unknown', 'refused']) }),
  about: 'Stores a collection of a remote account.',
})

export const resolveCollection = operation('accounts.collection.resolve', {
  viewer: internal(),
  class: 'search',
  repeatable: true,
  input: z.object({ /** Id or page URL of the collection. */ url: z.string().max(2_048) }),
  output: z.object({ /** Id of the collection; null if it is unknown. */ id: z.string().nullable() }),
  about: 'Id of a remote collection by its address. An unknown collection is fetched.',
})

export const changeRemoteCollection = operation('accounts.collection.change-remote', {
  viewer: internal(),
  class: 'write',
  input: z.object({
    /** Account id of the owner of the collection. */
    actor: z.string(),
    /** Address of the remote collection. */
    uri: z.string(),
    add: RemoteCollectionItem.optional(),
    /** Address of an added item that the activity does not embed. */
    addNamed: z.string().max(2_048).optional(),
    /** Address of the item that the owner removed from the collection. */
    remove: z.string().optional(),
    /** True if the owner deleted the collection. */
    gone: z.boolean().optional(),
    /**
     * True when the rate limit skipped a change by the owner. The collection then counts as stale after ten minutes, and is
     * fetched when a user opens it.
     */
    soon: z.boolean().optional(),
  }),
  output: z.object({ outcome: z.enum(['done', 'unchanged', 'unknown']) }),
  about:
    'Applies a change of a remote collection: an item added or removed, its deletion, or changes skipped by the rate limit.',
})

export const requestCollectionItem = operation('accounts.collection-item.request', {
  viewer: internal(),
  class: 'write',
  input: z.object({
    /** Account id of the owner, who requests consent. */
    actor: z.string(),
    /** Account id of the local account that is to be added. */
    account: z.string(),
    /** Address of the remote collection. */
    uri: z.string(),
  }),
  output: z.object({
    /** `unknown`: consent is allowed, but the collection must be fetched first. */
    outcome: z.enum(['accepted', 'rejected', 'unknown']),
    /** Id of the item if the local account accepted; else null. */
    item: z.string().nullable(),
  }),
  about:
    'Responds to a remote account that requests consent to list a local account. A repeated request gets the same response.',
})

export const syncCollectionsJob = job('accounts.sync-collections', {
  data: z.object({ account: z.string(), /** Address of the list of its collections. */ url: z.string() }),
  about: 'Fetches the list of collections of a remote account that has local followers.',
  retry: { delays: [60, 600], times: 3 },
  timeoutMs: 90_000,
  concurrency: 2,
})

export const refreshCollectionJob = job('accounts.refresh-collection', {
  data: z.object({ collection: z.string() }),
  about:
    'Fetches a remote collection that was not fetched for a day, or some of whose changes were skipped by the rate limit.',
  retry: { delays: [60, 600], times: 3 },
  timeoutMs: 90_000,
  concurrency: 2,
})

export const checkCollectionJob = job('accounts.check-collection', {
  data: z.object({
    collection: z.string(),
    /** Addresses of items that the collection document does not embed. */
    named: z.array(z.string()).max(limits.accounts.collectionItems).default([]),
    /** Items whose accounts are not known on this server. */
    [olderNames.unknownAccounts]: z.array(RemoteCollectionItem).max(limits.accounts.collectionItems).default([]),
    /** Ids of items whose authorization is not verified yet. */
    items: z.array(z.string()).max(limits.accounts.collectionItems).default([]),
  }),
  about: 'Fetches a few items of a remote collection, the accounts in them, and their authorizations.',
  retry: { delays: [30, 60, 180, 300, 600], times: 6 },
  timeoutMs: 90_000,
  concurrency: 2,
})
