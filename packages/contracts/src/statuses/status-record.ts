/** Statuses as other services read them: for documents, deliveries and reports. */
import { z } from 'zod'
import { FileFacts, OwnEmoji, PollFacts } from '../content.js'
import { ApprovalGroup, Visibility } from '../entities/index.js'
import { internal, operation } from '../kit/index.js'

const Ids = z.array(z.string()).max(1_000)

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

/** Everything a Note document is written from. Ids and addresses only; federation joins actors. */
export const NoteData = StatusRecord.extend({
  html: z.string(),
  text: z.string(),
  spoiler_text: z.string(),
  sensitive: z.boolean(),
  language: z.string().nullable(),
  edited_at: z.string().nullable(),
  in_reply_to_uri: z.string().nullable(),
  reblog_of_uri: z.string().nullable(),
  /** The quoted status: a null uri means deleted; the stamp is the approval of its author. */
  quote: z
    .object({
      uri: z.string().nullable(),
      author: z.string().nullable(),
      stamp: z.string().nullable(),
      /** Its author has not answered yet. */
      pending: z.boolean().optional(),
    })
    .nullable(),
  /** Accounts that may quote it without approval. */
  may_quote: z.array(ApprovalGroup),
  conversation_uri: z.string().nullable(),
  mention_accounts: z.array(z.object({ id: z.string(), silent: z.boolean() })),
  tags: z.array(z.string()),
  emojis: z.array(OwnEmoji).optional(),
  attachments: z.array(FileFacts),
  poll: PollFacts.extend({
    closed: z.boolean(),
    voters: z.int(),
    /** Counts of options are hidden until the poll ends. */
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

export type NoteData = z.infer<typeof NoteData>

export const statusSources = operation('statuses.status.sources', {
  viewer: internal(),
  large: true,
  input: z.object({ ids: z.array(z.string()).max(100) }),
  output: z.object({ sources: z.array(NoteData) }),
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

export const statusesForReport = operation('statuses.status.for-report', {
  viewer: internal(),
  input: z.object({ viewer: z.string(), author: z.string(), ids: z.array(z.string()).max(200) }),
  output: z.object({ ids: z.array(z.string()) }),
  about: 'Those of the ids that the author wrote and the viewer may see.',
})
