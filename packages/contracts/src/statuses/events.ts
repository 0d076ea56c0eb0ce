/** What happened to statuses. */
import { z } from 'zod'
import { Visibility } from '../entities/index.js'
import { event, hint, live } from '../kit/index.js'

const base = z.object({
  id: z.string(),
  author: z.string(),
  local: z.boolean(),
  visibility: Visibility,
  /** Of a boost: the boosted status and its author. */
  reblogOf: z.string().nullable(),
  reblogOfAuthor: z.string().nullable(),
  reblogOfLocal: z.boolean(),
})

export const statusCreated = event('statuses.status.created', {
  data: base.extend({
    uri: z.string(),
    inReplyTo: z.string().nullable(),
    inReplyToAuthor: z.string().nullable(),
    conversation: z.string(),
    /** Account ids that are mentioned, silent ones left out. */
    mentions: z.array(z.string()),
    language: z.string().nullable(),
    tags: z.array(z.string()),
    hasMedia: z.boolean(),
    /** Of what it quotes, null when it quotes nothing; absent in events of older releases. */
    quotedAuthor: z.string().nullable().optional(),
    /** False for what was fetched rather than delivered: no feeds, no notifications. */
    push: z.boolean(),
  }),
  about: 'A status or boost exists and may be shown; local and remote alike.',
})
export const statusEdited = event('statuses.status.edited', {
  data: base.extend({
    mentions: z.array(z.string()),
    /** Those of the mentions that were not there before the edit. */
    added: z.array(z.string()).optional(),
    tags: z.array(z.string()),
    hasMedia: z.boolean(),
    editedAt: z.string(),
  }),
  about: 'A status says something else now.',
})
export const statusDeleted = event('statuses.status.deleted', {
  data: base.extend({
    uri: z.string(),
    /** Activity id of the boost when it is one. */
    mentions: z.array(z.string()),
    tags: z.array(z.string()),
    hasMedia: z.boolean(),
    inReplyTo: z.string().nullable(),
    createdAt: z.string(),
  }),
  about: 'A status or boost is gone.',
})
const interaction = z.object({
  id: z.string(),
  status: z.string(),
  statusUri: z.string(),
  author: z.string(),
  authorLocal: z.boolean(),
  by: z.string(),
  byLocal: z.boolean(),
  uri: z.string().nullable(),
})
const quote = z.object({
  id: z.string(),
  /** The status that quotes, with its author. */
  status: z.string(),
  statusUri: z.string(),
  author: z.string(),
  local: z.boolean(),
  /** The status that is quoted, with its author. */
  quoted: z.string(),
  quotedUri: z.string(),
  quotedAuthor: z.string(),
  quotedLocal: z.boolean(),
})
export const quoteRequested = event('statuses.quote.requested', {
  data: quote,
  about: 'A status of this server quotes one of another server and waits for its author’s approval.',
})
export const quoteAccepted = event('statuses.quote.accepted', {
  data: quote.extend({ /** False for what was fetched rather than delivered. */ push: z.boolean() }),
  about: 'A quote is shown: its author may quote the status, or was allowed to.',
})
export const quoteRevoked = event('statuses.quote.revoked', {
  data: quote.extend({ /** The approval that holds no longer. */ stamp: z.string().nullable() }),
  about: 'The quoted author of this server took back what allowed a quote.',
})
export const replyRequested = event('statuses.reply.requested', {
  data: z.object({
    id: z.string(),
    author: z.string(),
    /** Account id of who is answered. */
    answered: z.string(),
  }),
  about: 'A status of this server answers one of another server and waits for its author’s approval.',
})
export const statusRefreshed = event('statuses.status.refreshed', {
  data: z.object({ id: z.string(), author: z.string() }),
  about: 'A local status says the same as before, with another approval or another policy for quotes.',
})

export const favouriteCreated = event('statuses.favourite.created', {
  data: interaction,
  about: 'Somebody favourited a status.',
})
export const favouriteRemoved = event('statuses.favourite.removed', {
  data: interaction,
  about: 'A favourite was taken back.',
})

export const pollVoted = event('statuses.poll.voted', {
  data: z.object({
    id: z.string(),
    status: z.string(),
    statusUri: z.string(),
    author: z.string(),
    authorLocal: z.boolean(),
    by: z.string(),
    byLocal: z.boolean(),
    /** Titles of the options chosen now, as the server of the poll wrote them. */
    options: z.array(z.string()),
  }),
  about: 'Somebody voted in a poll.',
})
export const pollEnded = event('statuses.poll.ended', {
  data: z.object({ id: z.string(), status: z.string(), author: z.string(), local: z.boolean() }),
  about: 'The time of a poll is over.',
})

export const scheduledFailed = event('statuses.scheduled.failed', {
  data: z.object({
    id: z.string(),
    account: z.string(),
    /** `quote`: the quoted status is gone or closed to quotes. */
    reason: z.enum(['quote', 'other']),
    /** ISO 8601: when it should have been published. */
    scheduledAt: z.string(),
  }),
  about: 'A scheduled status could not be published and stays in the list of its author.',
})

export const trendReviewWanted = event('statuses.trend.review-wanted', {
  data: z.object({
    id: z.string(),
    /** How many of each kind would trend and were not asked about before. */
    tags: z.int(),
    links: z.int(),
    statuses: z.int(),
  }),
  about: 'Staff is asked to decide what may trend.',
})

const featured = z.object({
  id: z.string(),
  account: z.string(),
  /** Normalised, and as its owner spells it. */
  tag: z.string(),
  name: z.string(),
})
export const tagFeatured = event('statuses.tag.featured', {
  data: featured,
  about: 'A person here put a hashtag on their profile.',
})
export const tagUnfeatured = event('statuses.tag.unfeatured', {
  data: featured,
  about: 'A person here took a hashtag off their profile.',
})

const pin = z.object({
  /** Of the pin itself: a status that is pinned again has another. */
  id: z.string(),
  account: z.string(),
  status: z.string(),
  uri: z.string(),
  visibility: Visibility,
})
export const statusPinned = event('statuses.status.pinned', {
  data: pin,
  about: 'A person here put a status first on their profile.',
})
export const statusUnpinned = event('statuses.status.unpinned', {
  data: pin,
  about: 'A person here took a status off the top of their profile.',
})

/** Ids of statuses whose cards changed. */
export const statusHint = hint('statuses.status', 'Status cards to forget.')

/** Ids of accounts whose filters changed. */
export const filterHint = hint('statuses.filter', 'People whose compiled filters are to be forgotten.')

/** `live.user.<account id>`: something for one person’s open connections; kept for a day so that they can resume. */
export const liveUser = live('user', 'Events for one person’s connections.')
/** `live.public.<local|remote>`: public statuses. */
export const livePublic = live('public', 'New, edited and deleted public statuses.')
/** `live.tag.<base64url of the name>`: public statuses with a tag. */
export const liveTag = live('tag', 'New, edited and deleted public statuses with a tag.')
/** `live.list.<list id>`: statuses put into a list feed. */
export const liveList = live('list', 'Statuses put into or taken from a list feed.')

/** What a live message says. `e` is the streaming event, `id` what it is about. */
export const LiveMessage = z.object({
  e: z.enum([
    'update',
    'status.update',
    'delete',
    'notification',
    'notifications_merged',
    'filters_changed',
    'conversation',
    'announcement',
    'announcement.reaction',
    'announcement.delete',
    'kill',
  ]),
  id: z.string().optional(),
  local: z.boolean().optional(),
  media: z.boolean().optional(),
  /** Of an edit that names the person: for the stream of notifications alone, or for that of the home feed as well. */
  to: z.enum(['notification', 'both']).optional(),
  /** Ready payload for events that are not rendered for each listener. */
  payload: z.string().optional(),
})
export type LiveMessage = z.infer<typeof LiveMessage>
