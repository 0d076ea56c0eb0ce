/** What other services ask federation's `fetch` role, and what federation tells. */
import { z } from 'zod'
import { RemoteCollection, RemoteCollectionItem } from '../accounts/featured-collection.js'
import { RemoteActor } from '../accounts/remote-account.js'
import { RemoteContent } from '../content.js'
import { event, internal, operation } from '../kit/index.js'

/** Named outcomes of reaching out; `later` may succeed when tried again. */
export const FetchOutcome = z.enum(['ok', 'gone', 'refused', 'not-found', 'later', 'local', 'blocked'])

export const fetchActor = operation('federation.fetch.actor', {
  viewer: internal(),
  class: 'search',
  repeatable: true,
  input: z.object({
    uri: z.string().optional(),
    handle: z.string().optional(),
    /** What was read before it was asked does not count. */
    fresh: z.boolean().optional(),
    /** Nobody waits for it: it stands back behind what people wait for, and leaves alone servers that failed for days. */
    behind: z.boolean().optional(),
  }),
  output: z.object({ outcome: FetchOutcome, actor: RemoteActor.nullable() }),
  about:
    'Reads a remote actor: WebFinger, signed GET, round trip proved, HTML cleaned, pictures named. One fetch per address at a time.',
})

export const fetchKey = operation('federation.fetch.key', {
  viewer: internal(),
  class: 'search',
  repeatable: true,
  input: z.object({
    keyId: z.string(),
    /** Ask again although the key was asked for a moment ago. */
    fresh: z.boolean().optional(),
  }),
  output: z.object({
    outcome: FetchOutcome,
    /** The owner of the key, proved both ways; `keys` holds the key. */
    actor: RemoteActor.nullable(),
  }),
  about: 'Reads a public key and the actor who lists it, each from its own address.',
})

/** A remote Note with actor and object addresses still to be resolved by the asker. */
export const FetchedNote = RemoteContent.extend({
  authorUri: z.string(),
  mentionUris: z.array(
    z.object({
      /** The actor id, or with some servers the page of the profile. */
      uri: z.string(),
      silent: z.boolean(),
      /** Lower-case `name@domain` on another server, as the mention spells it. */
      handle: z.string().optional(),
    }),
  ),
})
export type FetchedNote = z.infer<typeof FetchedNote>

export const fetchObject = operation('federation.fetch.object', {
  viewer: internal(),
  class: 'search',
  repeatable: true,
  input: z.object({
    url: z.string(),
    /** What was read a moment ago does not count. */ fresh: z.boolean().optional(),
    /** Nobody waits for it: it stands back behind what people wait for. */ behind: z.boolean().optional(),
    /** Account id of the person here in whose name it is read, for what is not for everybody; else the server asks. */
    as: z.string().optional(),
  }),
  output: z.object({ outcome: FetchOutcome, note: FetchedNote.nullable(), actor: RemoteActor.nullable() }),
  about: 'Reads whatever an address denotes: a note or an actor, also through its HTML page.',
})

export const fetchCollection = operation('federation.fetch.collection', {
  viewer: internal(),
  class: 'search',
  repeatable: true,
  large: true,
  input: z.object({
    /** A collection of statuses, or one of its pages. */
    url: z.string().max(2_048),
    /** Items in all, and pages that are read for them. */
    most: z.int().min(1).max(500),
    pages: z.int().min(1).max(10),
    /** Results of reads that began earlier do not count. */ fresh: z.boolean().optional(),
  }),
  output: z.object({
    outcome: FetchOutcome,
    items: z.array(
      z.object({
        uri: z.string(),
        /** The status, when its own server sent it along and it is for everybody; else its address must be asked. */
        note: FetchedNote.nullable(),
      }),
    ),
    /** Pages that were read. */
    pages: z.int(),
    /** Where it goes on; null at its end. */
    next: z.string().nullable(),
  }),
  about: 'Reads statuses out of a collection, such as an outbox or pins, in the order in which they stand there.',
})

export const fetchReplies = operation('federation.fetch.replies', {
  viewer: internal(),
  class: 'search',
  repeatable: true,
  large: true,
  input: z.object({ uri: z.string().max(2_048), most: z.int().min(1).max(500), pages: z.int().min(0).max(10) }),
  output: z.object({
    outcome: FetchOutcome,
    /** The status itself as it is now. */
    note: FetchedNote.nullable(),
    /** Addresses of answers to it, as its server lists them. */
    uris: z.array(z.string()),
    pages: z.int(),
    /** Where the list goes on; null at its end. */
    next: z.string().nullable(),
  }),
  about: 'Reads a status and which answers its server knows.',
})

export const fetchStamp = operation('federation.fetch.stamp', {
  viewer: internal(),
  class: 'search',
  repeatable: true,
  input: z.object({
    /** Address of the approval. */
    stamp: z.string(),
    /** Uris of the status that quotes, of the one that is quoted, and of its author. */
    status: z.string(),
    quoted: z.string(),
    quotedAuthor: z.string(),
    /** Whether the status answers the other one instead of quoting it. */
    reply: z.boolean().default(false),
  }),
  output: z.object({
    outcome: FetchOutcome,
    /** A sound approval was read, and it is for something else; any other refusal may pass. */
    unfit: z.boolean(),
  }),
  about:
    'Whether an approval, read from its own address, was given by the quoted or answered author for just this status.',
})

export const fetchFeatureAuthorization = operation('federation.fetch.feature-authorization', {
  viewer: internal(),
  class: 'search',
  repeatable: true,
  input: z.object({
    /** Where it stands. */
    authorization: z.string().max(2_048),
    /** Ids of the collection and of the actor in it. */
    collection: z.string().max(2_048),
    account: z.string().max(2_048),
  }),
  output: z.object({ outcome: FetchOutcome }),
  about: 'Whether an actor, by a document on its own server, agreed to be in just this collection (FEP-7aa9).',
})

export const fetchFeaturedCollection = operation('federation.fetch.featured-collection', {
  viewer: internal(),
  class: 'search',
  repeatable: true,
  input: z.object({
    uri: z.string().max(2_048),
    /** It may be the address of the page, too. */ page: z.boolean().optional(),
    /** What was read a moment ago does not count. */ fresh: z.boolean().optional(),
  }),
  output: z.object({ outcome: FetchOutcome, collection: RemoteCollection.nullable() }),
  about: 'Reads a collection of accounts that somebody elsewhere keeps (FEP-7aa9).',
})

export const fetchFeaturedItem = operation('federation.fetch.featured-item', {
  viewer: internal(),
  class: 'search',
  repeatable: true,
  input: z.object({ uri: z.string().max(2_048), /** Id of the collection. */ collection: z.string().max(2_048) }),
  output: z.object({ outcome: FetchOutcome, item: RemoteCollectionItem.nullable() }),
  about: 'Reads an item of a collection of accounts that its collection only names (FEP-7aa9).',
})

export const fetchFeaturedCollections = operation('federation.fetch.featured-collections', {
  viewer: internal(),
  class: 'search',
  repeatable: true,
  input: z.object({
    url: z.string().max(2_048),
    /** Actor id of the keeper; collections of others are left out. */
    owner: z.string().max(2_048),
  }),
  output: z.object({
    outcome: FetchOutcome,
    collections: z.array(RemoteCollection),
    /** False when who is in collections of this keeper was looked up too often this hour. */
    look: z.boolean(),
  }),
  about: 'Reads the list of collections that somebody elsewhere keeps, and of those that it only names the first few.',
})

export const fetchLinkBack = operation('federation.fetch.link-back', {
  viewer: internal(),
  class: 'search',
  repeatable: true,
  input: z.object({
    /** The page that somebody says is theirs. */
    url: z.string().max(2_048),
    /** The profile it must link to with rel="me". */
    profile: z.string().max(2_048),
  }),
  output: z.object({ outcome: FetchOutcome, linksBack: z.boolean() }),
  about: 'Reads a page and looks whether it links back to a profile with rel="me".',
})

export const fetchFeaturedTags = operation('federation.fetch.featured-tags', {
  viewer: internal(),
  class: 'search',
  repeatable: true,
  input: z.object({ url: z.string().max(2_048) }),
  output: z.object({ outcome: FetchOutcome, /** As spelt there, ten at most. */ names: z.array(z.string()) }),
  about: 'Reads the collection of hashtags that a remote account features.',
})

export const flagReceived = event('federation.flag.received', {
  data: z.object({
    /** Null when it came without one. */
    uri: z.string().nullable(),
    domain: z.string(),
    /** Account ids of the actor who sent it, stored like every remote actor, and of whom it is about. */
    actor: z.string(),
    target: z.string(),
    statusUris: z.array(z.string()),
    /** Collections of accounts that the target keeps. */
    collectionIds: z.array(z.string()).default([]),
    comment: z.string(),
  }),
  about: 'Another server reports somebody here.',
})
