/**
 * Operations that return the audience of an author: local followers, inboxes of remote followers, and pages of actor
 * ids.
 */

import { z } from 'zod'
import { Ids, internal, operation } from '../kit/index.js'

/** A local follower with the settings that apply to the author's statuses. */
export const Follower = z.object({
  id: z.string(),
  reblogs: z.boolean(),
  notify: z.boolean(),
  languages: z.array(z.string()).nullable(),
  /** True if the follower mutes the author. */
  muting: z.boolean().optional(),
  /** False if the follower wants to see each boost of the same status. */
  aggregate: z.boolean().optional(),
  /** The follower's lists that contain the author. */
  lists: z.array(z.object({ id: z.string(), exclusive: z.boolean(), replies: z.enum(['list', 'followed', 'none']) })),
})

export type Follower = z.infer<typeof Follower>

export const audience = operation('accounts.graph.audience', {
  viewer: internal(),
  input: z.object({
    author: z.string(),
    /** Follower id after which the page begins. */
    after: z.string().optional(),
    /** Page size, 1,000 by default and at most. A request with `about` returns one page. */
    limit: z.int().max(1_000).optional(),
    /** Number of days. Only followers who were active within them are returned. */
    activeDays: z.int(),
    /** True: only followers who enabled notifications for each status of the author. */
    notify: z.boolean().optional(),
    /**
     * Account ids. If given, the response contains these accounts instead of a page of followers, whether or not they
     * follow the author.
     */
    about: Ids.optional(),
    /** True returns followers with default settings as ids in `plain`. Not allowed together with `about` or `notify`. */
    compact: z.boolean().optional(),
  }),
  output: z.object({
    followers: z.array(Follower),
    /** Followers with default settings: boosts shown, each status once, all languages, author neither muted nor in a list. */
    plain: z.array(z.string()).optional(),
    /** On the first compact page: ids of the author's own lists that contain the author. */
    own: z.array(z.string()).optional(),
    next: z.string().nullable(),
  }),
  about: 'Local followers of an author, in pages, with the settings that feed decisions need.',
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
  about: 'Accounts that a user follows, or the members of one of their lists, for rebuilding a feed.',
})

export const remoteInboxes = operation('accounts.graph.inboxes', {
  viewer: internal(),
  input: z.object({
    author: z.string(),
    /** Account id. Inboxes on servers that this account blocks are left out. */
    unblockedBy: z.string().optional(),
    after: z.string().optional(),
    limit: z.int().max(5_000).default(1_000),
  }),
  output: z.object({ inboxes: z.array(z.string()), next: z.string().nullable() }),
  about: 'Distinct inboxes of the remote followers of an author, shared inboxes first, sorted by address.',
})

export const blockerInboxes = operation('accounts.graph.blocker-inboxes', {
  viewer: internal(),
  input: z.object({ account: z.string(), after: z.string().optional(), limit: z.int().max(5_000).default(1_000) }),
  output: z.object({ inboxes: z.array(z.string()), next: z.string().nullable() }),
  about: 'Distinct inboxes of remote accounts that block an account, shared inboxes first, sorted by address.',
})

export const followedElsewhere = operation('accounts.graph.followed-elsewhere', {
  viewer: internal(),
  input: z.object({ ids: Ids }),
  output: z.object({ ids: z.array(z.string()) }),
  about: 'Those of the given accounts that have a remote follower.',
})

export const relationPage = operation('accounts.graph.uris', {
  viewer: internal(),
  input: z.object({
    id: z.string(),
    which: z.enum(['followers', 'following']),
    /** Page number from 1; ignored when `before` is given. */
    page: z.int().min(1).max(1_000),
    /**
     * Id of the last follow of the previous page; the response continues with older follows. With `before`, later pages are read as
     * fast as the first one.
     */
    before: z.string().optional(),
    size: z.int().max(100),
  }),
  output: z.object({
    uris: z.array(z.string()),
    /** Id of the last follow of this page, which is `before` of the next request. Null on the last page. */
    last: z.string().nullable(),
    total: z.int(),
    hidden: z.boolean(),
  }),
  about: 'A page of follower or following actor ids, newest first, for collections.',
})

export const feedOwners = operation('accounts.upkeep.feed-owners', {
  viewer: internal(),
  class: 'search',
  repeatable: true,
  input: z.object({
    /** Account id after which the page begins, in ascending order of account ids. */
    after: z.string(),
    limit: z.int().min(1).max(500),
    /** ISO 8601; only accounts active since this time. Null for all accounts, active or not. */
    since: z.string().nullable(),
    /** Id of the only account that is returned; null for all accounts. */
    id: z.string().nullable(),
  }),
  output: z.object({
    owners: z.array(
      z.object({
        id: z.string(),
        lists: z.array(z.string()),
        /** ISO 8601; time of the account's last recorded activity, null without one. */
        activeAt: z.string().nullable().optional(),
      }),
    ),
    /** Id of the last account of the page; null on the last page. */
    next: z.string().nullable(),
  }),
  about: 'Local accounts with the ids of their lists, in a window of ids.',
})
