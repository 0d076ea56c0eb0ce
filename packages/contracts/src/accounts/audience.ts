/** The followers that an author reaches: local accounts, remote inboxes, and pages of actor ids. */

import { z } from 'zod'
import { internal, operation } from '../kit/index.js'
import { Ids } from './ids.js'

/** One local follower, with how they want to see the author. */
export const Follower = z.object({
  id: z.string(),
  reblogs: z.boolean(),
  notify: z.boolean(),
  languages: z.array(z.string()).nullable(),
  /** The follower mutes the author. */
  muting: z.boolean().optional(),
  /** False for those who want to see each boost of the same status. */
  aggregate: z.boolean().optional(),
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
    /** How many make a page, at most 1,000 and that many by default; `about` is one page. */
    limit: z.int().max(1_000).optional(),
    /** Only people who signed in within this many days. */
    activeDays: z.int(),
    /** Only followers who asked to be told of each status. */
    notify: z.boolean().optional(),
    /** When given: only these people, whether or not they follow. */
    about: Ids.optional(),
    /** Followers without any wish of their own come as bare ids in `plain`; not together with `about` or `notify`. */
    compact: z.boolean().optional(),
  }),
  output: z.object({
    followers: z.array(Follower),
    /** They see boosts, each status once, and every language, do not mute the author and have them in no list. */
    plain: z.array(z.string()).optional(),
    /** Of the first compact page: the author’s own lists that hold the author. */
    own: z.array(z.string()).optional(),
    next: z.string().nullable(),
  }),
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
  input: z.object({
    author: z.string(),
    /** Leaves out servers that this person blocks for themselves. */
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
  about: 'Distinct inboxes of people elsewhere who block an account, shared inboxes first, sorted by address.',
})

export const followedElsewhere = operation('accounts.graph.followed-elsewhere', {
  viewer: internal(),
  input: z.object({ ids: Ids }),
  output: z.object({ ids: z.array(z.string()) }),
  about: 'Of these accounts, those whom somebody elsewhere follows.',
})

export const relationPage = operation('accounts.graph.uris', {
  viewer: internal(),
  input: z.object({
    id: z.string(),
    which: z.enum(['followers', 'following']),
    /** Counted out from the first one; without meaning beside `before`. */
    page: z.int().min(1).max(1_000),
    /** Id of the follow that ended the page before: however far down, the page is found at once. */
    before: z.string().optional(),
    size: z.int().max(100),
  }),
  output: z.object({
    uris: z.array(z.string()),
    /** Id of the last follow of a full page; null when there is no page after it. */
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
    /** Account id after which the window begins. */
    after: z.string(),
    limit: z.int().min(1).max(500),
    /** ISO time; only accounts that were here since. */
    since: z.string().nullable(),
    /** Only this account. */
    id: z.string().nullable(),
  }),
  output: z.object({
    owners: z.array(z.object({ id: z.string(), lists: z.array(z.string()) })),
    /** Id of the last account; null after the end. */
    next: z.string().nullable(),
  }),
  about: 'Local accounts with the ids of their lists, in a window of ids.',
})
