/** Statuses and interactions of other servers. */
import { z } from 'zod'
import { RemoteContent } from '../content.js'
import { Visibility } from '../entities/index.js'
import { internal, job, operation } from '../kit/index.js'
import { RemoteReaction } from './emoji-reaction.js'

/** An unknown account as a mention names it: the actor or its page, and lower-case `name@domain`. */
export const UnreachedMention = z.object({ uri: z.string(), handle: z.string().optional() })

export type UnreachedMention = z.infer<typeof UnreachedMention>

/** A remote status as the vocabulary read and federation verified it; addresses are actor and object ids. */
export const RemoteStatus = RemoteContent.extend({
  /** Account id of the author. */
  author: z.string(),
  /** Account ids; silent ones have access without being shown. */
  mentions: z.array(z.object({ id: z.string(), silent: z.boolean() })),
  /** Other mentions whose servers do not respond now. They are resolved again later. */
  unreached: z.array(UnreachedMention).optional(),
  /** False for what is distributed to no feeds and notifies nobody. An old status never is. */ push: z.boolean(),
  /** Read from its server, not sent by its author. */ fetched: z.boolean().optional(),
})

export type RemoteStatus = z.infer<typeof RemoteStatus>

/** Refreshed: the same words, with other figures, another approval of its quote, or for somebody else as well. */
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
    /** In the order of the statuses; null for what failed and must be asked for alone. */
    stored: z.array(z.object({ id: z.string(), outcome: PutOutcome }).nullable()),
  }),
  about: 'Stores or edits remote statuses that federation verified, many at once; a repeated call changes nothing.',
})

export const removeRemoteStatus = operation('statuses.status.remove-remote', {
  viewer: internal(),
  class: 'write',
  input: z.object({ uri: z.string(), /** Account id of the author who says so. */ author: z.string() }),
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
    /** Uri of the status; for undo it may be missing when only the activity id is known. */
    object: z.string().nullable(),
    /** Activity id. */
    uri: z.string().nullable(),
    visibility: Visibility.optional(),
    published: z.string().optional(),
    /** For undo: the activity did not come yet and does nothing should it come later; counts as true when absent. */
    unseen: z.boolean().optional(),
    /** For likes and boosts: a new one after an undo, which the older undo does not end. */
    again: z.boolean().optional(),
    /** Where one stands under another activity id than this and the one in `instead`, that is said, and nothing changes. */
    exact: z.boolean().optional(),
    instead: z.string().optional(),
    /** Of a favourite: the emoji with which the actor reacted. */
    reaction: RemoteReaction.optional(),
  }),
  output: z.object({
    outcome: z.enum(['done', 'unchanged', 'unknown', 'refused', 'other']),
    /** The activity id of what stands, when it is another one. */
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
    /** Low priority: after requests of users. */ behind: z.boolean().optional(),
  }),
  /** `later`: there is none because its server does not answer now. */
  output: z.object({ id: z.string().nullable(), later: z.boolean().optional() }),
  about: 'A status by uri or page address, fetched when it is unknown.',
})

export const fetchParent = job('statuses.fetch-parent', {
  data: z.object({
    /** Uri of a remote status that a stored one answers. */
    uri: z.string(),
    /** How many further parents may be fetched after this one. */
    depth: z.int(),
  }),
  about: 'Fetches the unknown parent of a remote reply.',
  retry: { delays: [30, 120, 600], times: 4 },
  timeoutMs: 60_000,
  concurrency: 4,
})

export const bringAuthor = job('statuses.bring-author', {
  data: z.object({
    /** Account id of somebody elsewhere. */
    account: z.string(),
    /** Their latest statuses and what they pinned, or only the latter. */
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
    /** The status that quotes. */
    status: z.string(),
    /** How many quoted statuses may be fetched one after the other. */
    depth: z.int(),
  }),
  about: 'Finds the status that a remote one quotes, and proves the approval it names.',
  retry: { delays: [30, 60, 180, 300, 600], times: 6 },
  timeoutMs: 60_000,
  concurrency: 4,
})
