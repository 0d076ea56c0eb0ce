/** Operations and jobs about remote statuses and interactions. */
import { z } from 'zod'
import { RemoteContent } from '../content.js'
import { Visibility } from '../entities/index.js'
import { internal, job, olderNames, operation } from '../kit/index.js'
import { RemoteReaction } from './emoji-reaction.js'

/** A mention of an unknown account: its actor id or the URL of its profile page, and its handle `name@domain` in lower case. */
export const UnreachedMention = z.object({ uri: z.string(), handle: z.string().optional() })

export type UnreachedMention = z.infer<typeof UnreachedMention>

/** A remote status that the federation service parsed and verified. Addresses are actor ids and object ids. */
export const RemoteStatus = RemoteContent.extend({
  /** Account id of the author of the status. */
  author: z.string(),
  /** Account ids of the mentioned accounts. A silent mention gives access to the status and is not shown. */
  mentions: z.array(z.object({ id: z.string(), silent: z.boolean() })),
  /** Mentions of accounts whose servers do not respond now. These accounts are resolved later. */
  unreached: z.array(UnreachedMention).optional(),
  /** False for a status that enters no feeds and notifies no account, such as an old status. */ push: z.boolean(),
  /** True if the status was fetched from its server instead of delivered by its author. */
  fetched: z.boolean().optional(),
  /** True if the status was just fetched from its server. The fetched version replaces a version with the same edit time. */
  current: z.boolean().optional(),
})

export type RemoteStatus = z.infer<typeof RemoteStatus>

/** Outcome of storing a remote status. `refreshed`: the content is unchanged, and counts, the quote approval or the recipients changed. */
const PutOutcome = z.enum(['created', 'edited', 'refreshed', 'unchanged', 'refused'])

const PutResult = z.object({
  id: z.string(),
  outcome: PutOutcome,
  /**
   * True if the received version has other content than the stored one, but the same edit time. The stored version
   * stays. Only the server of the status knows which version is current.
   */
  tied: z.boolean().optional(),
})

export const putRemoteStatus = operation('statuses.status.put-remote', {
  viewer: internal(),
  class: 'write',
  input: z.object({ status: RemoteStatus }),
  output: PutResult,
  about: 'Stores or edits a remote status that federation verified. A repeated call changes nothing.',
})

export const putRemoteStatuses = operation('statuses.status.put-remote-many', {
  viewer: internal(),
  class: 'write',
  input: z.object({ statuses: z.array(RemoteStatus).max(100) }),
  output: z.object({
    /** Results in the order of the input; null for statuses that failed and must be sent alone. */
    stored: z.array(PutResult.nullable()),
  }),
  about: 'Stores or edits many remote statuses that federation verified. A repeated call changes nothing.',
})

export const removeRemoteStatus = operation('statuses.status.remove-remote', {
  viewer: internal(),
  class: 'write',
  input: z.object({ uri: z.string(), /** Account id of the author. */ author: z.string() }),
  output: z.object({ outcome: z.enum(['removed', 'unknown', 'refused']) }),
  about: 'Deletes a remote status and stores a tombstone, so that a late Create is ignored.',
})

export const reportFetchResult = operation(olderNames.reportFetchResult, {
  viewer: internal(),
  class: 'write',
  input: z.object({
    uri: z.string(),
    /** Outcome of the fetch of the status from its server. */ outcome: z.enum(['ok', 'gone', 'not-found']),
    /**
     * Account id of a group that announced the deletion. If the group had boosted the status, one `not-found` suffices
     * to delete it. After an `ok`, the status is then requested once more.
     */
    by: z.string().optional(),
  }),
  output: z.object({ removed: z.boolean() }),
  about:
    'Applies the result of a fetch: deletes the remote status if its server reports it as deleted, or does not find it for a day.',
})

export const applyRemoteInteraction = operation('statuses.interaction.apply-remote', {
  viewer: internal(),
  class: 'write',
  input: z.object({
    what: z.enum(['favourite', 'undo-favourite', 'reblog', 'undo-reblog']),
    /** Account id of the actor that sent the activity. */
    actor: z.string(),
    /** Address of the status. Null for an undo that only names the id of the activity. */
    object: z.string().nullable(),
    /** Id of the Like, Announce or Undo activity. */
    uri: z.string().nullable(),
    visibility: Visibility.optional(),
    published: z.string().optional(),
    /** For an undo: true if the activity was not received yet; it is ignored if it arrives later. An absent `unseen` counts as true. */
    unseen: z.boolean().optional(),
    /** True for a like or boost that was sent after the undo of an earlier one. The earlier undo does not apply to it. */
    again: z.boolean().optional(),
    /** True: a stored like or boost stays if its activity id is neither `uri` nor `instead`. The outcome is then `other`. */
    exact: z.boolean().optional(),
    instead: z.string().optional(),
    /**
     * For the undo of a favourite: kind of the undone activity. It decides which of the two is undone if the account has
     * both and `uri` is the id of neither.
     */
    undone: z.enum(['like', 'reaction']).optional(),
    /** For a favourite that is an emoji reaction: its emoji. */
    reaction: RemoteReaction.optional(),
  }),
  output: z.object({
    outcome: z.enum(['done', 'unchanged', 'unknown', 'refused', 'other']),
    /** Activity id of the stored like or boost, if that id is neither `uri` nor `instead`. */
    other: z.string().optional(),
  }),
  about: 'Applies or undoes the like or boost of a remote account.',
})

export const resolveStatus = operation('statuses.status.resolve', {
  viewer: internal(),
  class: 'search',
  repeatable: true,
  input: z.object({
    uri: z.string(),
    viewer: z.string().nullable(),
    /** Account id that signs the fetch of a non-public status. */ as: z.string().optional(),
    /** True: the fetch has low priority, so that requests of users come first. */ behind: z.boolean().optional(),
    /** True: an address with a fragment denotes only the status with this id, not the document that contains it. */
    exact: z.boolean().optional(),
  }),
  /** Id of the status, or null. `later`: true if there is no id because the remote server does not respond now. */
  output: z.object({ id: z.string().nullable(), later: z.boolean().optional() }),
  about: 'Id of a status by its object id or page URL. An unknown status is fetched.',
})

export const fetchParent = job('statuses.fetch-parent', {
  data: z.object({
    /** Address of the parent of a stored remote reply. */
    uri: z.string(),
    /** Number of further statuses above the parent that may be fetched. */
    depth: z.int(),
  }),
  about: 'Fetches the unknown parent of a remote reply.',
  retry: { delays: [30, 120, 600], times: 4 },
  timeoutMs: 60_000,
  concurrency: 4,
})

export const fetchAuthorStatuses = job('statuses.bring-author', {
  data: z.object({
    /** Account id of the remote account. */
    account: z.string(),
    /** Statuses to fetch. `all`: the latest statuses and the pinned ones. `pins`: only the pinned ones. */
    what: z.enum(['all', 'pins']),
    /** Account that began to follow the remote account. Its home timeline gets the statuses. */
    reader: z.string().nullable(),
  }),
  about: 'Fetches the latest statuses of a remote account and its pinned ones.',
  retry: { delays: [60, 600], times: 3 },
  timeoutMs: 120_000,
  concurrency: 4,
})

export const refreshStatus = job('statuses.refresh-remote', {
  data: z.object({ status: z.string() }),
  about: 'Fetches a remote status again: the votes of its poll, and its numbers of likes and boosts.',
  retry: { delays: [], times: 1 },
  timeoutMs: 60_000,
  concurrency: 4,
})

export const checkQuote = job('statuses.check-quote', {
  data: z.object({
    /** Id of the quoting status. */
    status: z.string(),
    /** Maximum length of a chain of quoted statuses that are fetched one after the other. */
    depth: z.int(),
  }),
  about: 'Fetches the status that a remote one quotes, and verifies the approval.',
  retry: { delays: [30, 60, 180, 300, 600], times: 6 },
  timeoutMs: 60_000,
  concurrency: 4,
})
