/** What other services ask accounts: tokens, cards, records, preferences, standing and figures. */
import { z } from 'zod'
import { Account, Visibility } from '../entities/index.js'
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
  input: z.object({
    token: z.string().max(512),
    ip: z.string().nullable(),
    /** A stream is opened or stays open: the response has a grant if the token may read statuses or notifications. */
    stream: z.boolean().optional(),
  }),
  output: z.object({
    found: ResolvedToken.nullable(),
    why: z.enum(['ok', 'unknown', 'revoked', 'expired']),
    /** Proves for three minutes that the account has an open stream; statuses and notifications ask for it. */
    grant: z.string().optional(),
  }),
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
  /** A community that passes on what it is sent. */
  group: z.boolean().optional(),
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
  /** Where a remote account lists what it published, what it pinned, and its collections of accounts. */
  outbox_url: z.string().nullable().optional(),
  featured_url: z.string().nullable().optional(),
  featured_collections_url: z.string().nullable().optional(),
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
    /** The uris may also be pages of profiles, or old actor ids of this server. */
    pages: z.boolean().optional(),
  }),
  output: z.object({
    records: z.array(AccountRecord),
    /** Account ids by the uris that are pages. */
    named: z.record(z.string(), z.string()).optional(),
  }),
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
    /** Nobody waits for it: it stands back behind what people wait for. */
    behind: z.boolean().optional(),
  }),
  output: z.object({
    record: AccountRecord.nullable(),
    /** There is none because its server does not answer now. */
    later: z.boolean().optional(),
  }),
  class: 'search',
  repeatable: true,
  about: 'One account by actor id or handle, fetched from its server when it is unknown or stale.',
})

export const accountsAtInbox = operation('accounts.account.at-inbox', {
  viewer: internal(),
  input: z.object({ inbox: z.string() }),
  output: z.object({
    /** Actor ids; five at most, first those whose profile was read longest ago. */
    uris: z.array(z.string()),
  }),
  about:
    'Who of other servers takes at this inbox what is for many, because it is theirs and their server has none for all.',
})

/** Default posting choices and preferences of a local person. */
export const PostingDefaults = z.object({
  visibility: Visibility,
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

export const accountWriter = operation('accounts.account.writer', {
  viewer: internal(),
  input: z.object({
    id: z.string(),
    /** Whom the text names: lower-case `name` (local) or `name@domain`. */
    handles: z.array(z.string()).max(200).optional(),
  }),
  output: z.object({ author: AccountRecord, defaults: PostingDefaults, named: z.array(AccountRecord) }),
  about:
    'A person of this server who writes, with what they chose for writing, and those known here whom the text names.',
})

export const chosenLanguages = operation('accounts.preference.languages', {
  viewer: internal(),
  input: z.object({ ids: Ids }),
  output: z.object({ chosen: z.record(z.string(), z.array(z.string())) }),
  about: 'Languages in which people want to read public statuses; people who read every language are left out.',
})

export const accountFigures = operation('accounts.account.figures', {
  viewer: internal(),
  input: z.object({}),
  output: z.object({ users: z.int(), activeMonth: z.int(), activeHalfyear: z.int(), domains: z.int() }),
  about: 'Counts of people for NodeInfo and the instance document.',
})

/** Moments at which weeks begin, in milliseconds. */
const Mondays = z.array(z.int()).max(60)

export const peopleByWeek = operation('accounts.account.by-week', {
  viewer: internal(),
  input: z.object({ mondays: Mondays }),
  output: z.object({ weeks: z.array(z.object({ logins: z.int(), registrations: z.int() })) }),
  about: 'How many people were here and joined in the weeks that begin at these moments.',
})

export const accountDomains = operation('accounts.account.domains', {
  viewer: internal(),
  large: true,
  input: z.object({}),
  output: z.object({ domains: z.array(z.string()) }),
  about: 'Servers that people are known of.',
})

export const domainTies = operation('accounts.account.domain-ties', {
  viewer: internal(),
  class: 'search',
  repeatable: true,
  input: z.object({ domains: z.array(z.string().max(255)).max(500) }),
  output: z.object({
    /** In the order asked; of the domain and everything below it, each count up to 10,000. */
    ties: z.array(z.object({ accounts: z.int(), following: z.int(), followers: z.int() })),
  }),
  about: 'How many accounts of each domain are known, and how many follows join them with people here.',
})

/** Accounts that one request moderates. */
export const MOST_MODERATED = 100

export const accountModerate = operation('accounts.account.moderate', {
  viewer: internal(),
  class: 'write',
  input: z.object({
    id: z.string().optional(),
    /** Several accounts by one decision. */
    ids: z.array(z.string()).max(MOST_MODERATED).optional(),
    /** Every account of this domain and below it, stamped so that undoing the block undoes just this. */
    domain: z.string().optional(),
    /** Nothing below the domain. */
    exact: z.boolean().optional(),
    /** Local accounts ask again for the follows that the block ended; for `unsuspend` of a domain. */
    restores: z.boolean().optional(),
    action: z.enum(['suspend', 'unsuspend', 'silence', 'unsilence', 'disable', 'enable', 'sensitive', 'unsensitive']),
    stamp: z.string(),
    /** The stamp replaces that of another decision; for accounts by id. */
    replaces: z.boolean().optional(),
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
  repeatable: true,
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
