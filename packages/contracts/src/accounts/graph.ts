/** What other services ask accounts about who stands how to whom, and who is reached by what somebody writes. */
import { z } from 'zod'
import { internal, operation } from '../kit/index.js'

const Ids = z.array(z.string()).max(1_000)

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

export const viewersFacts = operation('accounts.graph.viewers-facts', {
  viewer: internal(),
  input: z.object({
    /** Viewer → authors; a few dozen of each. */
    asked: z.record(z.string(), z.array(z.string())),
  }),
  output: z.object({
    /** Viewer → author → how they stand. */
    standings: z.record(z.string(), z.record(z.string(), Standing)),
  }),
  about: 'The same for several viewers, whose pages are read at the same moment.',
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

export const keepersApart = operation('accounts.graph.keepers-apart', {
  viewer: internal(),
  input: z.object({ named: z.array(z.string()).max(200) }),
  output: z.object({
    /** Person → those of `named` they keep apart from; null when these people are too many to be told. */
    apart: z.record(z.string(), z.array(Distance)).nullable(),
  }),
  about: 'For streams: everybody who keeps apart from somebody named in a status, unless they are very many.',
})

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

export const followersGained = operation('accounts.follower.gained', {
  viewer: internal(),
  input: z.object({
    id: z.string(),
    /** Moments in milliseconds since 1970; the last one is left out. */ from: z.int(),
    to: z.int(),
  }),
  output: z.object({ count: z.int() }),
  about: 'How many of an account’s followers began to follow it in a span of time.',
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
    /** An answer that names our follow by its id: it must be the follow between these two. */
    request: z.string().optional(),
    /** Where a follow or block that is meant stands under another activity id, or one of them against the other, that is said, and nothing changes. */
    exact: z.boolean().optional(),
    /** With `exact`: the activity id of another one that may stand. */
    instead: z.string().optional(),
  }),
  output: z.object({
    outcome: z.enum(['done', 'pending', 'refused', 'unchanged', 'other']),
    /** The activity id of what stands, when it is another one. */
    other: z.string().optional(),
  }),
  about: 'A relation changed because a remote actor said so.',
})

export const remoteDeed = operation('accounts.graph.deed', {
  viewer: internal(),
  input: z.object({
    /** Account id of the actor who did it. */
    actor: z.string(),
    /** Activity id with which it was done. */
    uri: z.string(),
  }),
  output: z.object({
    deed: z.object({ what: z.enum(['follow', 'block']), /** Account id. */ target: z.string() }).nullable(),
  }),
  about: 'Whom a remote actor follows, asks to follow or blocks by this activity.',
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
