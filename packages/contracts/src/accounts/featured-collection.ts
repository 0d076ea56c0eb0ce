/** Collections as other servers read them, and what servers ask and answer about who is in one (FEP-7aa9). */
import { z } from 'zod'
import { internal, job, operation } from '../kit/index.js'
import { limits } from '../limits.js'

export const FeaturedItemSource = z.object({
  id: z.string(),
  account: z.string(),
  accountUri: z.string(),
  kind: z.enum(['Person', 'Service', 'Group']),
  /** Where the account says that it agreed. */
  authorization: z.string(),
  created_at: z.string(),
})
export type FeaturedItemSource = z.infer<typeof FeaturedItemSource>

/** A collection that somebody here keeps, with those in it who agreed. Times are ISO 8601. */
export const FeaturedCollectionSource = z.object({
  id: z.string(),
  owner: z.string(),
  ownerUri: z.string(),
  uri: z.string(),
  /** The page. */
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
    /** Discoverable collections of this account, newest first, fifty at most. */
    keptBy: z.string().optional(),
    /** Account id of who reads; those in it who block that account are left out. Null for anybody. */
    viewer: z.string().nullable(),
  }),
  output: z.object({ collections: z.array(FeaturedCollectionSource) }),
  about: 'Collections that people here keep, as other servers read them; of nobody who is suspended.',
})

export const collectionRecords = operation('accounts.collection.records', {
  viewer: internal(),
  input: z.object({
    ids: z.array(z.string()).max(200).optional(),
    /** Of collections that people here keep, and of known ones of other servers. */
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
    /** Null unless somebody here is in a collection and agreed. */
    authorization: z.object({ account: z.string(), accountUri: z.string(), collectionUri: z.string() }).nullable(),
  }),
  about: 'That somebody here agreed to be in a collection, while it holds.',
})

export const answerCollectionItem = operation('accounts.collection-item.answer', {
  viewer: internal(),
  class: 'search',
  input: z.object({
    /** Account id of who was put into a collection here, and answers. */
    actor: z.string(),
    item: z.string(),
    /** Where they say that they agree, on their own server; null when they refuse. */
    authorization: z.string().max(2_048).nullable(),
  }),
  output: z.object({
    /** `unproved`: at the address stands no agreement to this. */
    outcome: z.enum(['done', 'unchanged', 'refused', 'unproved', 'later']),
  }),
  about:
    'Somebody elsewhere says whether they want to be in a collection of somebody here; an agreement is read where it stands.',
})

export const withdrawCollectionItem = operation('accounts.collection-item.withdraw', {
  viewer: internal(),
  class: 'write',
  input: z.object({ /** Account id of who agreed. */ actor: z.string(), authorization: z.string().max(2_048) }),
  output: z.object({ outcome: z.enum(['done', 'unknown']) }),
  about: 'Somebody elsewhere takes back that they agreed to be in a collection.',
})

export const RemoteCollectionItem = z.object({
  /** Address of the item in its collection. */
  uri: z.string(),
  /** Actor id of who is in it. */
  account: z.string(),
  /** Where they say that they agreed; null when it is not said. */
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
  /** Hashtag without `#`. */
  tag: z.string().nullable(),
  published: z.string().nullable(),
  updated: z.string().nullable(),
  items: z.array(RemoteCollectionItem).max(limits.accounts.collectionItems),
  /** Addresses of items that came without more. */
  named: z.array(z.string().max(2_048)).max(limits.accounts.collectionItems).default([]),
})
export type RemoteCollection = z.infer<typeof RemoteCollection>

export const putRemoteCollection = operation('accounts.collection.put-remote', {
  viewer: internal(),
  class: 'write',
  input: z.object({
    /** Account id of the owner, who sent it. */
    actor: z.string(),
    collection: RemoteCollection,
    /** Whether a collection that is not known is stored. */
    make: z.boolean(),
    /** Whether those in it who are not known, and what they agreed to, are looked up. */
    look: z.boolean(),
  }),
  output: z.object({ outcome: z.enum(['done', 'unchanged', 'unknown', 'refused']) }),
  about: 'Stores what somebody elsewhere says of a collection of theirs.',
})

export const collectionResolve = operation('accounts.collection.resolve', {
  viewer: internal(),
  class: 'search',
  repeatable: true,
  input: z.object({ /** Its id, or its page. */ url: z.string().max(2_048) }),
  output: z.object({ /** Null where there is none. */ id: z.string().nullable() }),
  about: 'A collection of another server by its address, read there when it is not known.',
})

export const changeRemoteCollection = operation('accounts.collection.change-remote', {
  viewer: internal(),
  class: 'write',
  input: z.object({
    /** Account id of the owner. */
    actor: z.string(),
    /** The collection. */
    uri: z.string(),
    add: RemoteCollectionItem.optional(),
    /** Address of an item that is put into it and came without more. */
    addNamed: z.string().max(2_048).optional(),
    /** Address of the removed item in the collection. */
    remove: z.string().optional(),
    /** The collection itself is no more. */
    gone: z.boolean().optional(),
    /** More was said of it than is heard at once: who opens it a while later has it read again. */
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
    /** Account id of the owner, who asks. */
    actor: z.string(),
    /** Account id of somebody here. */
    account: z.string(),
    /** The collection. */
    uri: z.string(),
  }),
  output: z.object({
    /** `unknown`: they may, and the collection has to be read first. */
    outcome: z.enum(['accepted', 'rejected', 'unknown']),
    /** Id of the item, while it is accepted. */
    item: z.string().nullable(),
  }),
  about:
    'Somebody elsewhere asks whether somebody here wants to be in a collection; what they chose answers, and asking again gives the same.',
})

export const syncCollectionsJob = job('accounts.sync-collections', {
  data: z.object({ account: z.string(), /** Where its collections are listed. */ url: z.string() }),
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
    /** Addresses of items that came without more. */
    named: z.array(z.string()).max(limits.accounts.collectionItems).default([]),
    /** Those in it who are not known here. */
    strangers: z.array(RemoteCollectionItem).max(limits.accounts.collectionItems).default([]),
    /** Ids of items of which it is not known whether who is in them agreed. */
    items: z.array(z.string()).max(limits.accounts.collectionItems).default([]),
  }),
  about: 'Reads a few items of a collection of another server, looks up who is in them, and whether they agreed.',
  retry: { delays: [30, 60, 180, 300, 600], times: 6 },
  timeoutMs: 90_000,
  concurrency: 2,
})
