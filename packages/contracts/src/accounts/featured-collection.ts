/** Collections in ActivityPub form, and consent of the accounts in them (FEP-7aa9). */
import { z } from 'zod'
import { internal, job, operation } from '../kit/index.js'
import { limits } from '../limits.js'

export const FeaturedItemSource = z.object({
  id: z.string(),
  account: z.string(),
  accountUri: z.string(),
  kind: z.enum(['Person', 'Service', 'Group']),
  /** Address of the authorization that proves the account's consent. */
  authorization: z.string(),
  created_at: z.string(),
})
export type FeaturedItemSource = z.infer<typeof FeaturedItemSource>

/** A local collection with the items whose accounts agreed. Times are ISO 8601. */
export const FeaturedCollectionSource = z.object({
  id: z.string(),
  owner: z.string(),
  ownerUri: z.string(),
  uri: z.string(),
  /** URL of the page. */
  url: z.string(),
  name: z.string(),
  /** Plain text. */
  description: z.string(),
  language: z.string().nullable(),
  sensitive: z.boolean(),
  discoverable: z.boolean(),
  tag: z.object({ name: z.string(), url: z.string() }).nullable(),
  /** Hashtags in the description. */
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
    /** Account id; discoverable collections of this account, newest first, at most fifty. */
    keptBy: z.string().optional(),
    /** Account id of the reader. Accounts that block the reader are left out. Null for anonymous. */
    viewer: z.string().nullable(),
  }),
  output: z.object({ collections: z.array(FeaturedCollectionSource) }),
  about: 'Collections that people here keep, as other servers read them; of nobody who is suspended.',
})

export const collectionRecords = operation('accounts.collection.records', {
  viewer: internal(),
  input: z.object({
    ids: z.array(z.string()).max(200).optional(),
    /** Addresses of local collections, and of known remote ones. */
    uris: z.array(z.string()).max(200).optional(),
  }),
  output: z.object({
    records: z.array(z.object({ id: z.string(), uri: z.string(), /** Account id of the owner. */ owner: z.string() })),
  }),
  about: 'Which collections have these ids or addresses, and who keeps them.',
})

export const collectionItemAuthorization = operation('accounts.collection-item.authorization', {
  viewer: internal(),
  input: z.object({ id: z.string() }),
  output: z.object({
    /** Null unless a local account is in the collection and agreed. */
    authorization: z.object({ account: z.string(), accountUri: z.string(), collectionUri: z.string() }).nullable(),
  }),
  about: 'That somebody here agreed to be in a collection, while it holds.',
})

export const answerCollectionItem = operation('accounts.collection-item.answer', {
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
    /** `unproved`: the address contains no authorization of this item. */
    outcome: z.enum(['done', 'unchanged', 'refused', 'unproved', 'later']),
  }),
  about:
    'Somebody elsewhere says whether they want to be in a collection of somebody here; an agreement is read where it stands.',
})

export const withdrawCollectionItem = operation('accounts.collection-item.withdraw', {
  viewer: internal(),
  class: 'write',
  input: z.object({ /** Account id that agreed. */ actor: z.string(), authorization: z.string().max(2_048) }),
  output: z.object({ outcome: z.enum(['done', 'unknown']) }),
  about: 'Somebody elsewhere takes back that they agreed to be in a collection.',
})

export const RemoteCollectionItem = z.object({
  /** Address of the item in its collection. */
  uri: z.string(),
  /** Actor id of the account in the collection. */
  account: z.string(),
  /** Address of the authorization; null when none is stated. */
  authorization: z.string().nullable(),
})
export type RemoteCollectionItem = z.infer<typeof RemoteCollectionItem>

/** A collection of a remote account. Times are ISO 8601. */
export const RemoteCollection = z.object({
  uri: z.string(),
  /** Actor id of the owner. */
  ownerUri: z.string(),
  url: z.string().nullable(),
  name: z.string(),
  /** Plain text. */
  description: z.string(),
  language: z.string().nullable(),
  sensitive: z.boolean(),
  discoverable: z.boolean(),
  /** Hashtag without `#`; null without one. */
  tag: z.string().nullable(),
  published: z.string().nullable(),
  updated: z.string().nullable(),
  items: z.array(RemoteCollectionItem).max(limits.accounts.collectionItems),
  /** Addresses of items that are not embedded. */
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
    /** True when an unknown collection is stored. */
    make: z.boolean(),
    /** True when unknown accounts in the collection and their authorizations are fetched. */
    look: z.boolean(),
  }),
  output: z.object({ outcome: z.enum(['done', 'unchanged', 'unknown', 'refused']) }),
  about: 'Stores what somebody elsewhere says of a collection of theirs.',
})

export const collectionResolve = operation('accounts.collection.resolve', {
  viewer: internal(),
  class: 'search',
  repeatable: true,
  input: z.object({ /** Id or page URL of the collection. */ url: z.string().max(2_048) }),
  output: z.object({ /** Null when unknown. */ id: z.string().nullable() }),
  about: 'A collection of another server by its address, read there when it is not known.',
})

export const changeRemoteCollection = operation('accounts.collection.change-remote', {
  viewer: internal(),
  class: 'write',
  input: z.object({
    /** Account id of the owner. */
    actor: z.string(),
    /** Address of the collection. */
    uri: z.string(),
    add: RemoteCollectionItem.optional(),
    /** Address of an added item that is not embedded. */
    addNamed: z.string().max(2_048).optional(),
    /** Address of the removed item. */
    remove: z.string().optional(),
    /** True when the whole collection was deleted. */
    gone: z.boolean().optional(),
    /** True when further changes were skipped by the rate limit. The collection is then fetched again when a user opens it later. */
    soon: z.boolean().optional(),
  }),
  output: z.object({ outcome: z.enum(['done', 'unchanged', 'unknown']) }),
  about:
    'Somebody elsewhere puts an account into a collection of theirs, takes one out, removes the collection, or says more of it than is heard.',
})

export const requestCollectionItem = operation('accounts.collection-item.request', {
  viewer: internal(),
  class: 'write',
  input: z.object({
    /** Account id of the owner, who requests consent. */
    actor: z.string(),
    /** Account id of the local account. */
    account: z.string(),
    /** Address of the collection. */
    uri: z.string(),
  }),
  output: z.object({
    /** `unknown`: consent is allowed, but the collection must be fetched first. */
    outcome: z.enum(['accepted', 'rejected', 'unknown']),
    /** Id of the item if accepted; else null. */
    item: z.string().nullable(),
  }),
  about:
    'Somebody elsewhere asks whether somebody here wants to be in a collection; what they chose answers, and asking again gives the same.',
})

export const syncCollectionsJob = job('accounts.sync-collections', {
  data: z.object({ account: z.string(), /** Address of the list of its collections. */ url: z.string() }),
  about: 'Reads which collections an account elsewhere keeps that somebody here follows.',
  retry: { delays: [60, 600], times: 3 },
  timeoutMs: 90_000,
  concurrency: 2,
})

export const refreshCollectionJob = job('accounts.refresh-collection', {
  data: z.object({ collection: z.string() }),
  about:
    'Reads a collection of another server again that was not read for a day, or of which more was said than was heard.',
  retry: { delays: [60, 600], times: 3 },
  timeoutMs: 90_000,
  concurrency: 2,
})

export const checkCollectionJob = job('accounts.check-collection', {
  data: z.object({
    collection: z.string(),
    /** Addresses of items that are not embedded. */
    named: z.array(z.string()).max(limits.accounts.collectionItems).default([]),
    /** Items whose accounts are not known on this server. */
    strangers: z.array(RemoteCollectionItem).max(limits.accounts.collectionItems).default([]),
    /** Ids of items whose authorization is not verified yet. */
    items: z.array(z.string()).max(limits.accounts.collectionItems).default([]),
  }),
  about: 'Reads a few items of a collection of another server, looks up who is in them, and whether they agreed.',
  retry: { delays: [30, 60, 180, 300, 600], times: 6 },
  timeoutMs: 90_000,
  concurrency: 2,
})
