/** Operations that read accounts (by id, by handle, by search, and the authenticated account), and messages about changed accounts. */

import { z } from 'zod'
import { Account, CredentialAccount } from '../entities/index.js'
import {
  event,
  flag,
  flagOr,
  get,
  Ids,
  id,
  ids,
  internal,
  invalidation,
  limit,
  linesOf,
  offset,
  operation,
  optional,
  put,
  text,
  user,
} from '../kit/index.js'
import { PostingDefaults } from './preference.js'
import { profileFields } from './profile.js'

export const showAccount = operation('accounts.account.show', {
  http: get('/api/v1/accounts/:id'),
  viewer: optional('read|read:accounts'),
  input: z.object({ id: id() }),
  output: Account,
  errors: ['not_found'],
  cache: 'anonymous',
  about: 'An account by id.',
})

export const accountMany = operation('accounts.account.many', {
  http: get('/api/v1/accounts'),
  viewer: optional('read|read:accounts'),
  input: z.object({ id: ids(null).default([]) }),
  output: z.array(Account),
  errors: ['unprocessable'],
  cache: 'anonymous',
  about: 'Several accounts by id, at most 40, in the order of the request; unknown ones are left out.',
})

export const lookupAccount = operation('accounts.account.lookup', {
  http: get('/api/v1/accounts/lookup'),
  viewer: optional('read|read:accounts'),
  input: z.object({ acct: text(2_400) }),
  output: Account,
  errors: ['not_found'],
  cache: 'anonymous',
  about: 'An account by its handle, among the accounts that this server knows. Unconfirmed accounts are included.',
})

export const searchAccounts = operation('accounts.account.search', {
  http: get('/api/v1/accounts/search'),
  viewer: user('read|read:accounts'),
  class: 'search',
  input: z.object({
    q: text(2_400),
    limit: limit(40),
    offset: offset(),
    resolve: flagOr(false),
    following: flagOr(false),
  }),
  output: z.array(Account),
  about: 'Accounts whose handle or name begins with the query; exact handles first.',
})

export const verifyCredentials = operation('accounts.account.verify-credentials', {
  http: get('/api/v1/accounts/verify_credentials'),
  viewer: user('profile|read|read:accounts'),
  input: z.object({}),
  output: CredentialAccount,
  about: 'The account of the signed-in user.',
})

export const updateCredentials = operation('accounts.account.update-credentials', {
  http: put('/api/v1/accounts/update_credentials'),
  viewer: user('write|write:accounts'),
  class: 'upload',
  files: ['avatar', 'header'],
  inlineFiles: true,
  input: z.object({
    ...profileFields,
    source: z
      .object({
        privacy: text(50).optional(),
        sensitive: flag(),
        language: z.union([z.null(), text(50)]).optional(),
        quote_policy: text(50).optional(),
      })
      .optional(),
  }),
  output: CredentialAccount,
  errors: ['unprocessable'],
  about: 'Changes the profile and the posting defaults of the signed-in user.',
})

export const removeAvatar = operation('accounts.picture.remove-avatar', {
  http: { method: 'DELETE', path: '/api/v1/profile/avatar' },
  viewer: user('write|write:accounts'),
  input: z.object({}),
  output: CredentialAccount,
  about: 'Deletes the avatar; the default avatar is shown instead.',
})

export const removeHeader = operation('accounts.picture.remove-header', {
  http: { method: 'DELETE', path: '/api/v1/profile/header' },
  viewer: user('write|write:accounts'),
  input: z.object({}),
  output: CredentialAccount,
  about: 'Deletes the header; the default header is shown instead.',
})

export const listIdentityProofs = operation('accounts.account.identity-proofs', {
  http: get('/api/v1/accounts/:id/identity_proofs', '2022-03-30'),
  viewer: user(),
  input: z.object({ id: id() }),
  output: z.array(z.never()),
  about: 'Always empty; kept for old clients.',
})

export const accountCards = operation('accounts.card.get', {
  viewer: internal(),
  large: true,
  input: z.object({ ids: Ids }),
  output: linesOf(Account),
  about: 'Account JSON by id, as anyone may see it; unknown ids are left out.',
})

export const creditAllowed = operation('accounts.account.credit', {
  viewer: internal(),
  input: z.object({
    id: z.string(),
    /** Host name of the web page. */
    host: z.string().max(255),
  }),
  output: z.object({ allowed: z.boolean() }),
  about: 'Whether pages of a host may name an account as their author.',
})

/** Account data that other services need for decisions. */
export const AccountRecord = z.object({
  id: z.string(),
  username: z.string(),
  /** Domain of a remote account; null for local accounts. */
  domain: z.string().nullable(),
  /** Actor id of the account. */
  uri: z.string(),
  /** URL of the profile page of the account. */
  url: z.string(),
  acct: z.string(),
  display_name: z.string(),
  locked: z.boolean(),
  bot: z.boolean(),
  /** True if the actor is of type Group. */
  group: z.boolean().optional(),
  discoverable: z.boolean(),
  indexable: z.boolean(),
  silenced: z.boolean(),
  suspended: z.boolean(),
  sensitized: z.boolean(),
  /** False for local accounts whose e-mail address is unconfirmed or that wait for approval. */
  usable: z.boolean(),
  created_at: z.string(),
  inbox_url: z.string().nullable(),
  shared_inbox_url: z.string().nullable(),
  followers_url: z.string().nullable(),
  /** Addresses of a remote account's outbox, pinned statuses and collections of accounts. */
  outbox_url: z.string().nullable().optional(),
  featured_url: z.string().nullable().optional(),
  featured_collections_url: z.string().nullable().optional(),
  moved_to_id: z.string().nullable(),
  /** Role of a local account; null if it has no role. */
  role: z.object({ position: z.int(), permissions: z.int(), highlighted: z.boolean() }).nullable().optional(),
})

export type AccountRecord = z.infer<typeof AccountRecord>

export const accountRecords = operation('accounts.account.records', {
  viewer: internal(),
  input: z.object({
    ids: Ids.optional(),
    /** Actor ids of the requested accounts. */
    uris: z.array(z.string()).max(1_000).optional(),
    /** Handles of the requested accounts in lower case: `name` for a local account, `name@domain` for a remote one. */
    handles: z.array(z.string()).max(200).optional(),
    /**
     * True: `uris` may also contain URLs of profile pages and former actor ids of this server. Local actor ids may have a trailing
     * slash, query or fragment.
     */
    pages: z.boolean().optional(),
  }),
  output: z.object({
    records: z.array(AccountRecord),
    /** Account id by requested URI, for those `uris` that are not the actor id of a stored account. */
    named: z.record(z.string(), z.string()).optional(),
  }),
  about: 'Account data by id, actor id or handle; other servers are never contacted.',
})

export const showAuthor = operation('accounts.account.writer', {
  viewer: internal(),
  input: z.object({
    id: z.string(),
    /** Handles mentioned in the text, in lower case: `name` for a local account, `name@domain` for a remote one. */
    handles: z.array(z.string()).max(200).optional(),
  }),
  output: z.object({
    author: AccountRecord,
    defaults: PostingDefaults,
    named: z.array(AccountRecord),
    /** Present if the login is disabled or the account is a memorial. No status may be published in the name of such an account. */
    disabled: z.literal(true).optional(),
  }),
  about: 'The author of a new status with posting defaults, and the known accounts whose handles the text mentions.',
})

export const findAccount = operation('accounts.account.find', {
  viewer: internal(),
  class: 'search',
  repeatable: true,
  input: z.object({
    /** Account id of the searching user; null for anonymous search. */
    viewer: z.string().nullable(),
    q: z.string().max(2_400),
    limit: z.int().max(80),
    offset: z.int().default(0),
    /** True: if the query is an unknown handle, the account is looked up on its own server. */
    resolve: z.boolean().default(false),
    following: z.boolean().default(false),
    /** True: only accounts whose complete handle equals the query match. */
    exact: z.boolean().default(false),
  }),
  output: z.object({ ids: z.array(z.string()) }),
  about: 'Ids of accounts that match a search, best match first.',
})

/** Account flags of which other services keep copies for their queries. */
export const AuthorFlags = z.object({
  local: z.boolean(),
  silenced: z.boolean(),
  suspended: z.boolean(),
  sensitized: z.boolean(),
  discoverable: z.boolean(),
  indexable: z.boolean(),
  domain: z.string().nullable(),
})

export type AuthorFlags = z.infer<typeof AuthorFlags>

export const accountChanged = event('accounts.account.changed', {
  data: z.object({ id: z.string(), flags: AuthorFlags, profile: z.boolean() }),
  about:
    'The profile or the moderation state of an account changed. `profile` is true when other servers should get an Update.',
})

/** Cache invalidation message: cached account cards are outdated. The ids are account ids. */
export const accountInvalidation = invalidation('accounts.account', 'Ids of accounts whose cached cards are outdated.')

/** Cache invalidation message: only the number of statuses in cached account cards is outdated. It has its own name, because it is sent frequently. */
export const statusCountInvalidation = invalidation(
  'accounts.status-count',
  'Ids of accounts whose number of statuses in cached cards is outdated.',
)
