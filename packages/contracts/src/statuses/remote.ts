/** Remote statuses and interactions. */
import { z } from 'zod'
import { RemoteContent } from '../content.js'
import { Visibility } from '../entities/index.js'
import { internal, job, operation } from '../kit/index.js'
import { RemoteReaction } from './emoji-reaction.js'

/** A mention of an unknown account: the actor id or profile page URL, and lower-case `name@domain`. */
export const UnreachedMention = z.object({ uri: z.string(), handle: z.string().optional() })

export type UnreachedMention = z.infer<typeof UnreachedMention>

/** A remote status, parsed by the vocabulary and verified by federation. Addresses are actor and object ids. */
export const RemoteStatus = RemoteContent.extend({
  /** Account id of the author. */
  author: z.string(),
  /** Account ids. Silent mentions give access and are not shown. */
  mentions: z.array(z.object({ id: z.string(), silent: z.boolean() })),
  /** Other mentions whose servers do not respond now. They are resolved again later. */
  unreached: z.array(UnreachedMention).optional(),
  /** False for statuses that enter no feeds and notify no account, such as old ones. */ push: z.boolean(),
  /** Fetched from its server instead of delivered by its author. */ fetched: z.boolean().optional(),
})

export type RemoteStatus = z.infer<typeof RemoteStatus>

/** `refreshed`: unchanged content with other counts, another quote approval, or a further recipient. */
const PutOutcome = z.enum(['created', 'edited', 'refreshed', 'unchanged', 'refused'])

export const putRemoteStatus = operation('statuses.status.put-remote', {
  viewer: internal(),
  class: 'write',
  input: z.object({ status: RemoteStatus }),
  output: z.object({ id: z.string(), outcome: PutOutcome }),
  about: 'Stores or edits a remote status that federation verified; a repeated call changes nothing.',
})

export const putRemoteStatuses = operation('statuses.status.put-remote-many', {
  viewer: internal(),
  class: 'write',
  input: z.object({ statuses: z.array(RemoteStatus).max(100) }),
  output: z.object({
    /** In the order of the input; null for statuses that failed and must be sent alone. */
    stored: z.array(z.object({ id: z.string(), outcome: PutOutcome }).nullable()),
  }),
  about: 'Stores or edits remote statuses that federation verified, many at once; a repeated call changes nothing.',
})

export const removeRemoteStatus = operation('statuses.status.remove-remote', {
  viewer: internal(),
  class: 'write',
  input: z.object({ uri: z.string(), /** Account id of the author. */ author: z.string() }),
  output: z.object({ outcome: z.enum(['removed', 'unknown', 'refused']) }),
  about: 'The author took a remote status back; remembered, so that a late Create does nothing.',
})

export const heedAnswer = operation('statuses.status.heed-answer', {
  viewer: internal(),
  class: 'write',
  input: z.object({
    uri: z.string(),
    /** Outcome of the request to its server. */ outcome: z.enum(['ok', 'gone', 'not-found']),
  }),
  output: z.object({ removed: z.boolean() }),
  about: 'A remote status is gone when its server says so, or does not find it for a day.',
})

export const applyRemoteInteraction = operation('statuses.interaction.apply-remote', {
  viewer: internal(),
  class: 'write',
  input: z.object({
    what: z.enum(['favourite', 'undo-favourite', 'reblog', 'undo-reblog']),
    /** Account id. */
    actor: z.string(),
    /** Address of the status. May be null for an undo that only names the activity. */
    object: z.string().nullable(),
    /** Activity id. */
    uri: z.string().nullable(),
    visibility: Visibility.optional(),
    published: z.string().optional(),
    /** For undo: the activity was not received yet, and is ignored if it arrives later. True when absent. */
    unseen: z.boolean().optional(),
    /** For likes and boosts: created after an undo, so the older undo does not end it. */
    again: z.boolean().optional(),
    /** True: changes nothing and returns `other` when the existing one has an activity id other than `uri` and `instead`. */
    exact: z.boolean().optional(),
    instead: z.string().optional(),
    /** For a favourite: the emoji of the reaction. */
    reaction: RemoteReaction.optional(),
  }),
  output: z.object({
    outcome: z.enum(['done', 'unchanged', 'unknown', 'refused', 'other']),
    /** Activity id of the existing one, if it is another. */
    other: z.string().optional(),
  }),
  about: 'A remote actor liked or boosted a status, or took that back.',
})

export const statusResolve = operation('statuses.status.resolve', {
  viewer: internal(),
  class: 'search',
  repeatable: true,
  input: z.object({
    uri: z.string(),
    viewer: z.string().nullable(),
    /** Account id that signs the fetch of a non-public status. */ as: z.string().optional(),
    /** Low priority: waits for requests of users. */ behind: z.boolean().optional(),
  }),
  /** `later`: no id, because the remote server does not respond now. */
  output: z.object({ id: z.string().nullable(), later: z.boolean().optional() }),
  about: 'A status by uri or page address, fetched when it is unknown.',
})

export const fetchParent = job('statuses.fetch-parent', {
  data: z.object({
    /** Address of the parent of a stored remote reply. */
    uri: z.string(),
    /** Number of further parents that may be fetched after this one. */
    depth: z.int(),
  }),
  about: 'Fetches the unknown parent of a remote reply.',
  retry: { delays: [30, 120, 600], times: 4 },
  timeoutMs: 60_000,
  concurrency: 4,
})

export const bringAuthor = job('statuses.bring-author', {
  data: z.object({
    /** Account id of the remote account. */
    account: z.string(),
    /** Latest statuses and pinned ones, or only pinned ones. */
    what: z.enum(['all', 'pins']),
    /** Account with the new follow, which gets the statuses in its home timeline. */
    reader: z.string().nullable(),
  }),
  about: 'Brings in what a remote account published last and what it pinned.',
  retry: { delays: [60, 600], times: 3 },
  timeoutMs: 120_000,
  concurrency: 4,
})

export const refreshStatus = job('statuses.refresh-remote', {
  data: z.object({ status: z.string() }),
  about: 'Reads a remote status again: the figures of its poll, and how often it was liked and boosted.',
  retry: { delays: [], times: 1 },
  timeoutMs: 60_000,
  concurrency: 4,
})

export const checkQuote = job('statuses.check-quote', {
  data: z.object({
    /** Id of the quoting status. */
    status: z.string(),
    /** Maximum number of quoted statuses that are fetched one after the other. */
    depth: z.int(),
  }),
  about: 'Finds the status that a remote one quotes, and proves the approval it names.',
  retry: { delays: [30, 60, 180, 300, 600], times: 6 },
  timeoutMs: 60_000,
  concurrency: 4,
})
