/** What other services ask accounts: cards, identity, and who stands how to whom. */
import { z } from 'zod'
import { Account } from '../entities/index.js'
import { internal, linesOf, operation } from '../kit/index.js'

const Ids = z.array(z.string()).max(1_000)

/** How a token came out. `state` names why a person behind a valid token may not act. */
export const ResolvedToken = z.object({
  tokenId: z.string(),
  appId: z.string(),
  scopes: z.array(z.string()),
  viewer: z
    .object({ id: z.string(), userId: z.string(), permissions: z.int(), position: z.int(), locale: z.string() })
    .nullable(),
  state: z.enum(['ok', 'unconfirmed', 'unapproved', 'disabled', 'suspended']),
})
export type ResolvedToken = z.infer<typeof ResolvedToken>

export const tokenResolve = operation('accounts.token.resolve', {
  viewer: internal(),
  input: z.object({ token: z.string().max(512), ip: z.string().nullable() }),
  output: z.object({ found: ResolvedToken.nullable(), why: z.enum(['ok', 'unknown', 'revoked', 'expired']) }),
  about: 'Who is behind a bearer token.',
})

export const accountCards = operation('accounts.card.get', {
  viewer: internal(),
  large: true,
  input: z.object({ ids: Ids }),
  output: linesOf(Account),
  about: 'Account JSON by id, as anyone may see it; unknown ids are left out.',
})

/** The facts of an account that other services need to decide something. */
export const AccountRecord = z.object({
  id: z.string(),
  username: z.string(),
  /** Null for people of this server. */
  domain: z.string().nullable(),
  /** Actor id. */
  uri: z.string(),
  /** Profile page. */
  url: z.string(),
  acct: z.string(),
  display_name: z.string(),
  locked: z.boolean(),
  bot: z.boolean(),
  discoverable: z.boolean(),
  indexable: z.boolean(),
  silenced: z.boolean(),
  suspended: z.boolean(),
  sensitized: z.boolean(),
  /** False for local people who did not confirm or were not approved. */
  usable: z.boolean(),
  created_at: z.string(),
  inbox_url: z.string().nullable(),
  shared_inbox_url: z.string().nullable(),
  followers_url: z.string().nullable(),
  moved_to_id: z.string().nullable(),
  /** Role of a local person who has one. */
  role: z.object({ position: z.int(), permissions: z.int(), highlighted: z.boolean() }).nullable().optional(),
})
export type AccountRecord = z.infer<typeof AccountRecord>

export const accountRecords = operation('accounts.account.records', {
  viewer: internal(),
  input: z.object({
    ids: Ids.optional(),
    /** Actor ids. */
    uris: z.array(z.string()).max(1_000).optional(),
    /** Lower-case `name` (local) or `name@domain`. */
    handles: z.array(z.string()).max(200).optional(),
  }),
  output: z.object({ records: z.array(AccountRecord) }),
  about: 'Facts of accounts by id, actor id or handle; never asks the outside.',
})

export const accountResolve = operation('accounts.account.resolve', {
  viewer: internal(),
  input: z.object({
    uri: z.string().optional(),
    /** `name@domain`. */
    handle: z.string().optional(),
    /** Ask the outside again although the account is known. */
    refresh: z.boolean().optional(),
  }),
  output: z.object({ record: AccountRecord.nullable() }),
  class: 'search',
  about: 'One account by actor id or handle, fetched from its server when it is unknown or stale.',
})

/** Default posting choices and preferences of a local person. */
export const PostingDefaults = z.object({
  visibility: z.enum(['public', 'unlisted', 'private', 'direct']),
  sensitive: z.boolean(),
  language: z.string(),
  quote_policy: z.enum(['public', 'followers', 'nobody']),
  show_application: z.boolean(),
  chosen_languages: z.array(z.string()).nullable(),
  aggregate_reblogs: z.boolean(),
})
export const postingDefaults = operation('accounts.preference.posting', {
  viewer: internal(),
  input: z.object({ id: z.string() }),
  output: PostingDefaults,
  about: 'How a person posts and reads when they do not say otherwise.',
})

export const chosenLanguages = operation('accounts.preference.languages', {
  viewer: internal(),
  input: z.object({ ids: Ids }),
  output: z.object({ chosen: z.record(z.string(), z.array(z.string())) }),
  about: 'Languages in which people want to read public statuses; people who read every language are left out.',
})

/** How a viewer stands to one author. */
export const Standing = z.object({
  following: z.boolean(),
  showing_reblogs: z.boolean(),
  followed_by: z.boolean(),
  /** ISO time since when the author follows the viewer, or null. */
  followed_by_since: z.string().nullable(),
  requested: z.boolean(),
  blocking: z.boolean(),
  blocked_by: z.boolean(),
  muting: z.boolean(),
  muting_notifications: z.boolean(),
  domain_blocking: z.boolean(),
})
export type Standing = z.infer<typeof Standing>

export const viewerFacts = operation('accounts.graph.viewer-facts', {
  viewer: internal(),
  input: z.object({ viewer: z.string(), authors: Ids }),
  output: z.object({ standings: z.record(z.string(), Standing) }),
  about: 'How a viewer stands to each of these authors. Never cached: a block holds on the next request.',
})

export const authorFacts = operation('accounts.graph.author-facts', {
  viewer: internal(),
  input: z.object({ author: z.string(), viewers: Ids }),
  output: z.object({ standings: z.record(z.string(), Standing) }),
  about:
    'How each of these viewers stands to one author; the other way round of viewer-facts, for fan-out and streams.',
})

export const refusals = operation('accounts.graph.refusals', {
  viewer: internal(),
  input: z.object({ viewers: Ids, authors: Ids }),
  output: z.object({ refused: z.record(z.string(), z.array(z.string())) }),
  about:
    'Whom of these authors each of these viewers blocks, or mutes with notifications; viewers who refuse nobody are left out.',
})

/** What keeps a viewer apart from somebody; at least one of the four holds. */
export const Distance = z.object({
  id: z.string(),
  blocking: z.boolean(),
  muting: z.boolean(),
  blocked_by: z.boolean(),
  domain_blocking: z.boolean(),
})
export type Distance = z.infer<typeof Distance>

export const feedStandings = operation('accounts.graph.feed-standings', {
  viewer: internal(),
  input: z.object({
    viewers: Ids,
    /** Everybody named in a status: its author, the boosted author, who is mentioned. */
    named: z.array(z.string()).max(200),
    /** Whom the status answers. */
    answers: z.string().nullable(),
  }),
  output: z.object({
    /** Viewer id → those of `named` they keep apart from; viewers who keep apart from nobody are left out. */
    apart: z.record(z.string(), z.array(Distance)),
    /** Viewers who follow whom the status answers. */
    following: z.array(z.string()),
  }),
  about:
    'For feeds: who of these viewers keeps apart from somebody named in a status, and who follows whom it answers.',
})

/** One local follower, with how they want to see the author. */
export const Follower = z.object({
  id: z.string(),
  reblogs: z.boolean(),
  notify: z.boolean(),
  languages: z.array(z.string()).nullable(),
  /** Ids of the follower's lists that hold the author. */
  lists: z.array(z.object({ id: z.string(), exclusive: z.boolean(), replies: z.enum(['list', 'followed', 'none']) })),
})
export type Follower = z.infer<typeof Follower>

export const audience = operation('accounts.graph.audience', {
  viewer: internal(),
  input: z.object({
    author: z.string(),
    /** Follower id after which the page starts. */
    after: z.string().optional(),
    limit: z.int().max(1_000).default(1_000),
    /** Only people who signed in within this many days. */
    activeDays: z.int(),
    /** Only followers who asked to be told of each status. */
    notify: z.boolean().optional(),
    /** When given: only these people, whether or not they follow. */
    about: Ids.optional(),
  }),
  output: z.object({ followers: z.array(Follower), next: z.string().nullable() }),
  about: 'Local people who follow this author, a page at a time, with all that a feed decision needs.',
})

export const followees = operation('accounts.graph.followees', {
  viewer: internal(),
  large: true,
  input: z.object({ id: z.string(), list: z.string().optional() }),
  output: z.object({
    followees: z.array(
      z.object({
        id: z.string(),
        reblogs: z.boolean(),
        languages: z.array(z.string()).nullable(),
        exclusive: z.boolean(),
      }),
    ),
    replies: z.enum(['list', 'followed', 'none']).nullable(),
  }),
  about: 'Everyone a person follows, or the members of one of their lists, for rebuilding a feed.',
})

export const remoteInboxes = operation('accounts.graph.inboxes', {
  viewer: internal(),
  input: z.object({ author: z.string(), after: z.string().optional(), limit: z.int().max(5_000).default(1_000) }),
  output: z.object({ inboxes: z.array(z.string()), next: z.string().nullable() }),
  about: 'Distinct inboxes of the remote followers of an author, shared inboxes first, sorted by address.',
})

/** A remote actor as the vocabulary read and federation verified it. */
export const RemoteActor = z.object({
  uri: z.string(),
  username: z.string(),
  domain: z.string(),
  type: z.enum(['Person', 'Service', 'Application', 'Group', 'Organization']),
  url: z.string(),
  display_name: z.string(),
  /** Sanitised HTML. */
  note: z.string(),
  fields: z.array(z.object({ name: z.string(), value: z.string() })),
  inbox_url: z.string(),
  shared_inbox_url: z.string().nullable(),
  outbox_url: z.string().nullable(),
  followers_url: z.string().nullable(),
  following_url: z.string().nullable(),
  featured_url: z.string().nullable(),
  locked: z.boolean(),
  discoverable: z.boolean(),
  indexable: z.boolean(),
  memorial: z.boolean(),
  suspended: z.boolean(),
  avatar_url: z.string().nullable(),
  avatar_description: z.string(),
  header_url: z.string().nullable(),
  header_description: z.string(),
  keys: z.array(z.object({ id: z.string(), pem: z.string() })),
  emojis: z.array(z.object({ shortcode: z.string(), url: z.string(), updated: z.string().nullable() })),
  also_known_as: z.array(z.string()),
  moved_to: z.string().nullable(),
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
  input: z.object({ actor: RemoteActor }),
  output: z.object({ record: AccountRecord }),
  about: 'Stores or refreshes a remote account that federation verified.',
})

export const removeRemote = operation('accounts.account.remove-remote', {
  viewer: internal(),
  class: 'write',
  input: z.object({ uri: z.string() }),
  output: z.object({ removed: z.boolean() }),
  about: 'A remote account is gone: relations end, content goes with the event.',
})

/** What the graph does when an activity comes in; each is harmless when repeated. */
export const applyRemote = operation('accounts.graph.apply-remote', {
  viewer: internal(),
  class: 'write',
  input: z.object({
    what: z.enum(['follow', 'undo-follow', 'accept-follow', 'reject-follow', 'block', 'undo-block']),
    /** Account id of the actor who sent it. */
    actor: z.string(),
    /** Account id of the other side. */
    target: z.string(),
    /** Activity id, kept for the answer. */
    uri: z.string().nullable(),
  }),
  output: z.object({ outcome: z.enum(['done', 'pending', 'refused', 'unchanged']) }),
  about: 'A relation changed because a remote actor said so.',
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
    keys: z.record(z.string(), z.object({ keyId: z.string(), privatePem: z.string(), publicPem: z.string() })),
  }),
  about: 'Private keys of local accounts, for federation only; the instance actor has the id -99.',
})

/** Everything an actor document of a local person is written from. */
export const LocalActor = AccountRecord.extend({
  note: z.string(),
  fields: z.array(z.object({ name: z.string(), value: z.string() })),
  publicPem: z.string(),
  avatar: z.object({ url: z.string(), type: z.string(), description: z.string() }).nullable(),
  header: z.object({ url: z.string(), type: z.string(), description: z.string() }).nullable(),
  hide_collections: z.boolean(),
  memorial: z.boolean(),
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
  about: 'What actor documents of local people are written from.',
})

export const relationPage = operation('accounts.graph.uris', {
  viewer: internal(),
  input: z.object({
    id: z.string(),
    which: z.enum(['followers', 'following']),
    page: z.int().min(1),
    size: z.int().max(100),
  }),
  output: z.object({ uris: z.array(z.string()), total: z.int(), hidden: z.boolean() }),
  about: 'A numbered page of follower or following actor ids, for collections.',
})

export const accountFigures = operation('accounts.account.figures', {
  viewer: internal(),
  input: z.object({}),
  output: z.object({ users: z.int(), activeMonth: z.int(), activeHalfyear: z.int(), domains: z.int() }),
  about: 'Counts of people for NodeInfo and the instance document.',
})

export const accountModerate = operation('accounts.account.moderate', {
  viewer: internal(),
  class: 'write',
  input: z.object({
    id: z.string().optional(),
    /** Every account of this domain and below it, stamped so that undoing the block undoes just this. */
    domain: z.string().optional(),
    action: z.enum(['suspend', 'unsuspend', 'silence', 'unsilence', 'disable', 'enable', 'sensitive', 'unsensitive']),
    stamp: z.string(),
  }),
  output: z.object({ changed: z.int() }),
  about: 'Staff changed how an account or a whole domain stands.',
})

export const rolesOf = operation('accounts.role.of', {
  viewer: internal(),
  input: z.object({ permission: z.string() }),
  output: z.object({ accountIds: z.array(z.string()) }),
  about: 'Staff who hold a permission, to tell them of something.',
})

export const accountFind = operation('accounts.account.find', {
  viewer: internal(),
  class: 'search',
  input: z.object({
    /** Account id; null finds what visitors find. */
    viewer: z.string().nullable(),
    q: z.string().max(2_400),
    limit: z.int().max(80),
    offset: z.int().default(0),
    /** Ask other servers when the query is a handle nobody here knows. */
    resolve: z.boolean().default(false),
    following: z.boolean().default(false),
    /** Only exact handles. */
    exact: z.boolean().default(false),
  }),
  output: z.object({ ids: z.array(z.string()) }),
  about: 'Ids of accounts that a search means, best first.',
})
