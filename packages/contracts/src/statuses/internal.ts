/** What other services ask statuses: renderings, remote statuses and interactions, and what documents are written from. */
import { z } from 'zod'
import { FileFacts, OwnEmoji, PollFacts, RemoteContent } from '../content.js'
import { ApprovalGroup, Status, Visibility } from '../entities/index.js'
import { internal, linesOf, operation } from '../kit/index.js'
import { RemoteReaction } from './emoji-reaction.js'

const Ids = z.array(z.string()).max(1_000)

export const renderByIds = operation('statuses.render.by-ids', {
  viewer: internal(),
  large: true,
  input: z.object({
    /** Account id; null sees what anonymous visitors see. */
    viewer: z.string().nullable(),
    ids: z.array(z.string()).max(200),
    /** Where it will be shown; decides which rules hold. */
    place: z.enum(['home', 'list', 'public', 'thread', 'account', 'notifications', 'report', 'direct']),
  }),
  output: linesOf(Status),
  about: 'Status JSON for a viewer by id; what they may not see is left out.',
})

/** One status for many open connections: the text everyone shares, and per listener only what differs. */
export const renderForListeners = operation('statuses.render.for-listeners', {
  viewer: internal(),
  large: true,
  input: z.object({
    id: z.string(),
    /** At most 1,000 when each gets their own stream. */
    listeners: z.array(z.string()).max(5_000),
    /** Of each listener, in the same order: the grant of its stream, from `accounts.token.resolve`. */
    grants: z.array(z.string().max(64)).max(5_000).optional(),
    surface: z.enum(['public', 'hashtag', 'user']),
  }),
  output: z.object({
    /** Status JSON text as an anonymous visitor sees it, without its closing brace; null when nobody may see it. */
    card: z.string().nullable(),
    /** What may be appended to the card, with the closing brace; listeners whose facts are alike share one. */
    tails: z.array(z.string()),
    /** Of each listener, in the order asked: the place in `tails`; -1 when it is hidden from them. */
    tailOf: z.array(z.int()),
    /** Places of listeners whose grants are missing, expired or wrong; nothing is rendered for them. */
    refused: z.array(z.int()).optional(),
  }),
  errors: ['forbidden'],
  about: 'One status rendered once for all the listeners of a streaming node.',
})

/** Facts of a status for those who must decide about it. */
export const StatusRecord = z.object({
  id: z.string(),
  uri: z.string(),
  url: z.string().nullable(),
  author: z.string(),
  local: z.boolean(),
  visibility: Visibility,
  reblog_of: z.string().nullable(),
  reblog_of_author: z.string().nullable(),
  in_reply_to: z.string().nullable(),
  in_reply_to_author: z.string().nullable(),
  conversation: z.string(),
  mentions: z.array(z.string()),
  created_at: z.string(),
  deleted: z.boolean(),
})
export type StatusRecord = z.infer<typeof StatusRecord>
export const statusRecords = operation('statuses.status.records', {
  viewer: internal(),
  input: z.object({
    ids: Ids.optional(),
    uris: z.array(z.string()).max(1_000).optional(),
    pages: z.boolean().optional(),
  }),
  output: z.object({ records: z.array(StatusRecord), named: z.record(z.string(), z.string()).optional() }),
  about:
    'Facts of statuses by id or uri, deleted ones marked; with `pages` also by page, and `named` has those ids by uri.',
})

export const threadStandings = operation('statuses.thread.standings', {
  viewer: internal(),
  input: z.object({ status: z.string(), sender: z.string(), viewers: Ids }),
  output: z.object({
    /** Viewers who muted the thread. */
    muted: z.array(z.string()),
    /** Viewers who wrote the sender a direct status further up in the thread. */
    wrote: z.array(z.string()),
  }),
  about: 'How each of these viewers stands to the thread of a status that the sender wrote, boosted or favourited.',
})

export const peopleListening = operation('statuses.live.listening', {
  viewer: internal(),
  input: z.object({ accounts: Ids }),
  output: z.object({ listening: z.array(z.string()) }),
  about: 'Those of the accounts who have a live stream open now, or had one a few minutes ago.',
})

export const localBoosters = operation('statuses.reblog.local-people', {
  viewer: internal(),
  input: z.object({
    status: z.string(),
    /** Where the page before ended. */
    after: z.string().optional(),
    limit: z.int().max(1_000).default(1_000),
  }),
  output: z.object({ accounts: z.array(z.string()), next: z.string().nullable() }),
  about: 'People of this server who reblogged a status, a page at a time.',
})

export const pollVoters = operation('statuses.poll.voters', {
  viewer: internal(),
  input: z.object({
    poll: z.string(),
    /** Where the page before ended. */
    after: z.string().optional(),
    limit: z.int().max(1_000).default(1_000),
  }),
  output: z.object({ accounts: z.array(z.string()), next: z.string().nullable() }),
  about: 'People of this server who voted in a poll, a page at a time.',
})

export const castRemoteVote = operation('statuses.poll.vote-remote', {
  viewer: internal(),
  class: 'write',
  input: z.object({
    /** Uri of the status that asks. */
    status: z.string(),
    /** Account id of the voter. */
    actor: z.string(),
    /** Titles of options, each with the id of the vote. */
    votes: z
      .array(z.object({ option: z.string(), uri: z.string() }))
      .min(1)
      .max(500),
  }),
  output: z.object({
    /** `unknown`: no poll of ours that the voter may see. */
    outcome: z.enum(['done', 'unchanged', 'unknown', 'ended', 'no-option', 'refused']),
  }),
  about: 'A remote actor voted in a poll of ours; each choice counts once.',
})

/** Everything a Note document is written from. Ids and addresses only; federation joins actors. */
export const StatusSource = StatusRecord.extend({
  html: z.string(),
  text: z.string(),
  spoiler_text: z.string(),
  sensitive: z.boolean(),
  language: z.string().nullable(),
  edited_at: z.string().nullable(),
  in_reply_to_uri: z.string().nullable(),
  reblog_of_uri: z.string().nullable(),
  /** What it quotes: a null uri is a status that is gone, the stamp is the approval its author gave. */
  quote: z
    .object({
      uri: z.string().nullable(),
      author: z.string().nullable(),
      stamp: z.string().nullable(),
      /** Its author has not answered yet. */
      pending: z.boolean().optional(),
    })
    .nullable(),
  /** Who may quote it without asking. */
  may_quote: z.array(ApprovalGroup),
  conversation_uri: z.string().nullable(),
  mention_accounts: z.array(z.object({ id: z.string(), silent: z.boolean() })),
  tags: z.array(z.string()),
  emojis: z.array(OwnEmoji).optional(),
  attachments: z.array(FileFacts),
  poll: PollFacts.extend({
    closed: z.boolean(),
    voters: z.int(),
    /** What each option got is told to nobody until the end. */
    hidden: z.boolean(),
  }).nullable(),
  replies_count: z.int(),
  reblogs_count: z.int(),
  favourites_count: z.int(),
  /** The conversation began with a status of this server. */
  conversation_here: z.boolean().optional(),
  /** The page whose preview is shown, as it was written. */
  link: z.string().nullable().optional(),
  /** Addresses of the first answers of its own author that everybody may see. */
  own_replies: z.array(z.string()).optional(),
  /** There may be more of them. */
  own_replies_more: z.boolean().optional(),
  /** Of an answer that waits for approval: for whom it is then. Until then it is for whom it answers alone. */
  held: z.object({ visibility: Visibility }).nullable().optional(),
  /** The approval that the author of what it answers gave to it, on another server. */
  approved_by: z.string().nullable().optional(),
})
export type StatusSource = z.infer<typeof StatusSource>
export const statusSources = operation('statuses.status.sources', {
  viewer: internal(),
  large: true,
  input: z.object({ ids: z.array(z.string()).max(100) }),
  output: z.object({ sources: z.array(StatusSource) }),
  about: 'What Note documents of local statuses are written from.',
})

export const outboxPage = operation('statuses.status.outbox', {
  viewer: internal(),
  input: z.object({
    author: z.string(),
    max_id: z.string().optional(),
    min_id: z.string().optional(),
    limit: z.int().max(60),
    /** False where nobody wants the number: counting takes its time. */
    counted: z.boolean().optional(),
  }),
  output: z.object({ ids: z.array(z.string()), /** 0 when it was not counted. */ total: z.int() }),
  about: 'Ids of an author’s public and unlisted statuses and boosts, newest first, for the outbox.',
})

export const repliesPage = operation('statuses.status.replies', {
  viewer: internal(),
  input: z.object({
    status: z.string(),
    /** Account id of its author. */
    author: z.string(),
    /** The author's own answers, or those of everybody else. */
    own: z.boolean(),
    after: z.string().optional(),
    limit: z.int().max(60),
  }),
  output: z.object({
    replies: z.array(z.object({ id: z.string(), uri: z.string(), local: z.boolean(), author: z.string() })),
    /** The id after which there may be more; null when this was the last page, however short the others were. */
    next: z.string().nullable(),
  }),
  about: 'Public and unlisted answers to a status, oldest first, for its collection of replies.',
})

export const contextPage = operation('statuses.status.context', {
  viewer: internal(),
  input: z.object({
    /** The status with which the conversation began. */
    root: z.string(),
    after: z.string().optional(),
    limit: z.int().max(60),
  }),
  output: z.object({
    /** Account id of who began it; null when it is not for everybody, or did not begin here. */
    author: z.string().nullable(),
    statuses: z.array(z.object({ id: z.string(), uri: z.string(), author: z.string() })),
    /** The id after which there is more; null when this was the last page. */
    next: z.string().nullable(),
  }),
  about: 'What everybody may see of a conversation that began here, oldest first.',
})

/** Somebody who is not known yet, as a mention spells them: the actor or its page, and lower-case `name@domain`. */
export const UnreachedMention = z.object({ uri: z.string(), handle: z.string().optional() })
export type UnreachedMention = z.infer<typeof UnreachedMention>

/** A remote status as the vocabulary read and federation verified it; addresses are actor and object ids. */
export const RemoteStatus = RemoteContent.extend({
  /** Account id of the author. */
  author: z.string(),
  /** Account ids; silent ones have access without being shown. */
  mentions: z.array(z.object({ id: z.string(), silent: z.boolean() })),
  /** Whom it mentions as well, and whose servers do not answer now: they are looked for again. */
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
    /** What its server answered when it was asked for it. */ outcome: z.enum(['ok', 'gone', 'not-found']),
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
    /** For like and boost: said again after it was taken back, which then counts no more. */
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
    /** Nobody waits for it: it stands back behind what people wait for. */ behind: z.boolean().optional(),
  }),
  /** `later`: there is none because its server does not answer now. */
  output: z.object({ id: z.string().nullable(), later: z.boolean().optional() }),
  about: 'A status by uri or page address, fetched when it is unknown.',
})

export const statusFigures = operation('statuses.status.figures', {
  viewer: internal(),
  input: z.object({}),
  output: z.object({
    local: z.int(),
    localReplies: z.int(),
    /** Statuses can be translated. */ translates: z.boolean(),
  }),
  about: 'Counts of local statuses for NodeInfo and the instance document.',
})

export const statusesByWeek = operation('statuses.status.by-week', {
  viewer: internal(),
  input: z.object({ mondays: z.array(z.int()).max(60) }),
  output: z.object({ counts: z.array(z.int()) }),
  about: 'How much was written here in the weeks that begin at these moments, in milliseconds.',
})

export const statusesForReport = operation('statuses.status.for-report', {
  viewer: internal(),
  input: z.object({ viewer: z.string(), author: z.string(), ids: z.array(z.string()).max(200) }),
  output: z.object({ ids: z.array(z.string()) }),
  about: 'Those of the ids that the author wrote and the viewer may see.',
})
