/** Operations, events and jobs about aliases of an account, and moves to and from other servers, with their relationships. */
import { z } from 'zod'
import { event, internal, job, operation } from '../kit/index.js'

/** Value of the session cookie, which identifies the user. */
const session = z.string().max(512)
const handle = z.string().max(2_400)

/** An alias: another account of the same user. */
export const Alias = z.object({
  uri: z.string(),
  /** Handle `name@domain` of the account, or its actor id if the handle is unknown. */
  acct: z.string(),
  url: z.string(),
})
export type Alias = z.infer<typeof Alias>

export const listAliases = operation('accounts.alias.list', {
  viewer: internal(),
  input: z.object({ session }),
  output: z.object({ aliases: z.array(Alias) }),
  errors: ['unauthenticated'],
  about: 'Other accounts that the user lists as aliases, from which a move to this account is allowed.',
})
export const addAlias = operation('accounts.alias.add', {
  viewer: internal(),
  class: 'search',
  input: z.object({ session, acct: handle }),
  output: Alias,
  errors: ['unauthenticated', 'unprocessable'],
  about: 'Adds an alias. The account is fetched from its server if it is unknown.',
})
export const removeAlias = operation('accounts.alias.remove', {
  viewer: internal(),
  class: 'write',
  input: z.object({ session, uri: z.string().max(2_000) }),
  output: z.object({ removed: z.boolean() }),
  errors: ['unauthenticated'],
  about: 'Removes an alias.',
})

export const Residence = z.object({
  /** The account that this account moved to; null without a move. */
  moved: Alias.nullable(),
  followers_count: z.int(),
  /** ISO 8601; earliest time of the next move. Null when a move is allowed now. */
  next_at: z.string().nullable(),
  /** Previous moves, newest first. `done`: all followers were processed. */
  past: z.array(Alias.extend({ at: z.string(), followers: z.int(), done: z.boolean() })),
  /** True when the login has no password. A recent sign-in is required instead. */
  passwordless: z.boolean(),
})
export type Residence = z.infer<typeof Residence>

export const showMove = operation('accounts.move.show', {
  viewer: internal(),
  input: z.object({ session }),
  output: Residence,
  errors: ['unauthenticated'],
  about: 'State of the account’s move, and the time from which the next move is allowed.',
})

export const beginMove = operation('accounts.move.begin', {
  viewer: internal(),
  class: 'search',
  input: z.object({
    session,
    /** `name@domain` of the new account, which must list this account as an alias. */
    acct: handle,
    /** Current password; ignored for logins without one. */
    password: z.string().max(2_000),
  }),
  output: z.object({ target: Alias }),
  errors: ['unauthenticated', 'unprocessable', 'conflict'],
  about: 'Moves the account to another account. Its followers are moved in the background.',
})

export const cancelMove = operation('accounts.move.cancel', {
  viewer: internal(),
  class: 'write',
  input: z.object({ session }),
  output: z.object({ cancelled: z.boolean() }),
  errors: ['unauthenticated'],
  about: 'Removes the redirect of a moved account, which is usable again. Followers that were moved are not returned.',
})

export const applyMove = operation('accounts.move.apply', {
  viewer: internal(),
  class: 'write',
  input: z.object({
    /** Account id of the remote account that moved (`account`), and of its new account. The federation service has just fetched both. */
    account: z.string(),
    target: z.string(),
  }),
  output: z.object({ outcome: z.enum(['done', 'moved-recently', 'no-alias', 'target-moved', 'refused']) }),
  about: 'Applies the move of a remote account. Its local followers are moved in the background.',
})

export const accountMoved = event('accounts.account.moved', {
  data: z.object({ id: z.string(), local: z.boolean(), uri: z.string(), target: z.string(), targetUri: z.string() }),
  about: 'An account moved to another account. Its local followers are being moved to that account.',
})

export const carryOverJob = job('accounts.carry-over', {
  data: z.object({
    move: z.string(),
    what: z.enum(['followers', 'notes', 'mutes', 'blocks']),
    /** Account id after which the next page begins. */
    after: z.string(),
  }),
  about: 'Moves follows, notes, mutes and blocks of local accounts from a moved account to its new account, in pages.',
  concurrency: 4,
})

export const transferFollowersJob = job('accounts.hand-over', {
  data: z.object({
    /** Id of the account that had the handle before. */
    from: z.string(),
    /** Id of the account that has the handle now. */
    to: z.string(),
  }),
  about:
    'Fetches an account that lost its handle to another actor. If it no longer exists, its local followers follow the other actor.',
  retry: { delays: [60, 600, 3_600, 86_400], times: 5 },
  concurrency: 4,
})
