/** Operations about remote accounts as received, local accounts as sent, and the keys of both. Events and the job about refreshed accounts. */
import { z } from 'zod'
import { OwnEmoji, RemoteEmoji } from '../content.js'
import { ApprovalGroup } from '../entities/approval.js'
import { anyOf, event, Ids, internal, job, operation } from '../kit/index.js'
import { AccountRecord } from './account.js'

/** `automatic`: groups that may add the account to a collection immediately. `manual`: groups that must request its consent. */
export const FeaturePolicy = z.object({ automatic: z.array(ApprovalGroup), manual: z.array(ApprovalGroup) })
export type FeaturePolicy = z.infer<typeof FeaturePolicy>

/** A remote actor that the federation service parsed and verified. */
export const RemoteActor = z.object({
  uri: z.string(),
  username: z.string(),
  domain: z.string(),
  type: z.enum(['Person', 'Service', 'Application', 'Group', 'Organization']),
  url: z.string(),
  display_name: z.string(),
  /** Bio of the account as sanitised HTML. */
  note: z.string(),
  fields: z.array(z.object({ name: z.string(), value: z.string() })),
  inbox_url: z.string(),
  shared_inbox_url: z.string().nullable(),
  outbox_url: z.string().nullable(),
  followers_url: z.string().nullable(),
  following_url: z.string().nullable(),
  featured_url: z.string().nullable(),
  /** Address of the account's featured hashtags. */
  featured_tags_url: z.string().nullable().optional(),
  /** Address of the account's collections of accounts. */
  featured_collections_url: z.string().nullable().optional(),
  /** Accounts that may feature this account in a collection; null if the actor document contains no such policy. */
  feature_policy: FeaturePolicy.nullable().optional(),
  locked: z.boolean(),
  discoverable: z.boolean(),
  indexable: z.boolean(),
  memorial: z.boolean(),
  /** Whether the profile shows the tab of featured content, of media, and of media in replies. A tab is shown if its member is absent. */
  show_featured: z.boolean().optional(),
  show_media: z.boolean().optional(),
  show_media_replies: z.boolean().optional(),
  /** Domains of web sites that may name the account as author. */
  attribution_domains: z.array(z.string()).optional(),
  suspended: z.boolean(),
  avatar_url: z.string().nullable(),
  avatar_description: z.string(),
  header_url: z.string().nullable(),
  header_description: z.string(),
  keys: z.array(z.object({ id: z.string(), pem: z.string() })),
  /** Ids of further keys that the actor document names and that cannot be fetched now. Stored keys with these ids stay. */
  unread_keys: z.array(z.string()).optional(),
  emojis: z.array(RemoteEmoji),
  also_known_as: z.array(z.string()),
  moved_to: z.string().nullable(),
  /** Address of the new account in the actor document, if `moved_to` is the actor id to which it leads. */
  moved_to_address: z.string().optional(),
  published: z.string().nullable(),
  followers_count: z.int().nullable(),
  following_count: z.int().nullable(),
  statuses_count: z.int().nullable(),
  hide_collections: z.boolean().nullable(),
})
export type RemoteActor = z.infer<typeof RemoteActor>

export const putRemote = operation('accounts.account.put-remote', {
  viewer: internal(),
  class: 'write',
  input: z.object({
    actor: RemoteActor,
    /** True if the actor sent its document in an activity that is signed with a previously known key. */
    announced: z.boolean().optional(),
  }),
  output: z.object({ record: AccountRecord }),
  about: 'Stores or refreshes a remote account that federation verified.',
})

export const removeRemote = operation('accounts.account.remove-remote', {
  viewer: internal(),
  class: 'write',
  input: z.object({ uri: z.string() }),
  output: z.object({ removed: z.boolean() }),
  about: 'Deletes a remote account and its relationships. The event removes its content.',
})

export const remoteKeys = operation('accounts.key.of-actor', {
  viewer: internal(),
  input: z.object({ keyId: z.string() }),
  output: z.object({
    key: z.object({ id: z.string(), pem: z.string(), owner: z.string(), accountId: z.string() }).nullable(),
  }),
  about: 'A stored public key of a remote actor.',
})

export const signingKey = operation('accounts.key.signing', {
  viewer: internal(),
  input: z.object({ ids: z.array(z.string()).max(100) }),
  output: z.object({
    keys: z.record(
      z.string(),
      z.object({
        keyId: z.string(),
        privatePem: z.string(),
        publicPem: z.string(),
        /** Previous public key, until the Update with the new key is delivered. */
        previousPem: z.string().optional(),
      }),
    ),
  }),
  about: 'Private keys of local accounts, for federation only; the instance actor has the id -99.',
})

/** Data of a local account from which its actor document is written. */
export const LocalActor = AccountRecord.extend({
  note: z.string(),
  emojis: z.array(OwnEmoji).optional(),
  fields: z.array(z.object({ name: z.string(), value: z.string() })),
  publicPem: z.string(),
  avatar: z.object({ url: z.string(), type: z.string(), description: z.string() }).nullable(),
  header: z.object({ url: z.string(), type: z.string(), description: z.string() }).nullable(),
  hide_collections: z.boolean(),
  memorial: z.boolean(),
  show_featured: z.boolean(),
  show_media: z.boolean(),
  show_media_replies: z.boolean(),
  also_known_as: z.array(z.string()),
  attribution_domains: z.array(z.string()),
  followers_count: z.int(),
  following_count: z.int(),
  statuses_count: z.int(),
})
export type LocalActor = z.infer<typeof LocalActor>
export const localActors = operation('accounts.account.actors', {
  viewer: internal(),
  input: z.object({ ids: Ids.optional(), usernames: z.array(z.string()).max(100).optional() }),
  output: z.object({ actors: z.array(LocalActor) }),
  about: 'Data from which actor documents of local accounts are written.',
})

export const resolveAccount = operation('accounts.account.resolve', {
  viewer: internal(),
  input: z.object({
    uri: z.string().optional(),
    /** Handle of the account: `name@domain`. */
    handle: z.string().optional(),
    /** True: the account is fetched from its server although it is stored. */
    refresh: z.boolean().optional(),
    /** True: the fetch has low priority, because no user waits for it. */
    behind: z.boolean().optional(),
  }),
  output: z.object({
    record: AccountRecord.nullable(),
    /** True if no record is returned because the remote server does not respond now. */
    later: z.boolean().optional(),
    /** True if `later` is true because a rate limit of this server was reached. */
    limited: z.boolean().optional(),
  }),
  class: 'search',
  repeatable: true,
  about: 'One account by actor id or handle, fetched from its server when it is unknown or stale.',
})

export const accountsAtInbox = operation('accounts.account.at-inbox', {
  viewer: internal(),
  input: z.object({ inbox: z.string() }),
  output: z.object({
    /** Actor ids of accounts with the inbox, at most five. Accounts whose profile was fetched longest ago come first. */
    uris: z.array(z.string()),
  }),
  about: 'Remote accounts whose own inbox this is and whose server has no shared inbox.',
})

export const inboxHosts = operation('accounts.account.inbox-hosts', {
  viewer: internal(),
  class: 'search',
  repeatable: true,
  input: z.object({
    /** Domain of handles, or host of actor ids, in lower case. */
    name: z.string().max(260),
  }),
  output: z.object({
    /** Hosts of inboxes, at most ten per value of `why`. Only 1,000 accounts per value of `why` are read. */
    hosts: z.array(z.object({ host: z.string(), why: z.enum(['handle', 'actor']) })),
    /** Other domains in the handles of accounts whose actor ids have this host, at most ten. */
    domains: z.array(z.string()),
  }),
  about: 'Hosts of the inboxes of known accounts with this domain in their handles, or this host in their actor ids.',
})

export const remoteRead = event('accounts.account.read', {
  data: z.object({
    id: z.string(),
    /** Address of the collection of featured hashtags of the account. */
    featuredTags: z.string().optional(),
    /** True if the actor had a collection of featured hashtags, and has none any longer. */
    noFeaturedTags: z.boolean().optional(),
    /** Set if a remote account sent an Update and has a collection of pinned statuses, or has none any longer. */
    pins: z.boolean().optional(),
  }),
  about:
    'The profile of a remote account was fetched, and its featured hashtags or pinned statuses are due for a fetch or removal.',
})

export const accountRebuilt = event('accounts.account.rebuilt', {
  data: z.object({ id: z.string() }),
  about:
    'A remote account has new keys that none of its old keys announced: its server was set up anew. At most once in seven days.',
})

export const picturesReplaced = event('accounts.picture.replaced', {
  data: z.object({
    /** Id of the account whose pictures were replaced. */
    owner: z.string(),
    pictures: z.array(z.object({ kind: anyOf(z.enum(['avatar', 'header'])), remote: z.string() })),
  }),
  about:
    'The avatar or header of a remote account was replaced or removed. The addresses are those of the old pictures.',
})

export const refreshRemoteJob = job('accounts.refresh-remote', {
  data: z.object({ uri: z.string() }),
  about: 'Fetches a remote profile that was not fetched for a day, or the unknown target of a moved account.',
  retry: { delays: [30, 600], times: 3 },
  concurrency: 4,
})
