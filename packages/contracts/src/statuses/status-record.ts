/** Operations with which other services read statuses: for documents, deliveries and reports. */
import { z } from 'zod'
import { FileData, OwnEmoji, PollData } from '../content.js'
import { ApprovalGroup, Visibility } from '../entities/index.js'
import { Ids, internal, operation } from '../kit/index.js'

/** Data of a status that other services need for decisions. */
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
  /** Time of the deletion of the status. A process of an older release omits it. */
  deleted_at: z.string().nullable().optional(),
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
    'Data of statuses by id or object id, including deleted ones. With `pages`, `uris` may also be page URLs; `named` has their ids.',
})

/** Data of a status for its Note document. Accounts are account ids; the federation service adds the actor ids. */
export const NoteData = StatusRecord.extend({
  html: z.string(),
  text: z.string(),
  spoiler_text: z.string(),
  sensitive: z.boolean(),
  language: z.string().nullable(),
  edited_at: z.string().nullable(),
  in_reply_to_uri: z.string().nullable(),
  reblog_of_uri: z.string().nullable(),
  /** The quoted status. `uri` is null if it was deleted. `stamp` is the address of the quote authorization. */
  quote: z
    .object({
      uri: z.string().nullable(),
      author: z.string().nullable(),
      stamp: z.string().nullable(),
      /** True as long as the author of the quoted status has not responded. */
      pending: z.boolean().optional(),
    })
    .nullable(),
  /** Groups of accounts that may quote the status without approval. */
  may_quote: z.array(ApprovalGroup),
  conversation_uri: z.string().nullable(),
  mention_accounts: z.array(z.object({ id: z.string(), silent: z.boolean() })),
  tags: z.array(z.string()),
  emojis: z.array(OwnEmoji).optional(),
  attachments: z.array(FileData),
  poll: PollData.extend({
    closed: z.boolean(),
    voters: z.int(),
    /** True if the numbers of votes per option are hidden until the poll ends. */
    hidden: z.boolean(),
  }).nullable(),
  replies_count: z.int(),
  reblogs_count: z.int(),
  favourites_count: z.int(),
  /** True when the conversation began with a local status. */
  conversation_here: z.boolean().optional(),
  /** URL of the page of the preview card, as written in the status. */
  link: z.string().nullable().optional(),
  /** Object ids of the author's first public and unlisted replies to the status. */
  own_replies: z.array(z.string()).optional(),
  /** True when the author may have written further replies that `own_replies` does not list. */
  own_replies_more: z.boolean().optional(),
  /** For a reply that waits for approval: its visibility after the approval. Until then, only the author of the parent gets the reply. */
  held: z.object({ visibility: Visibility }).nullable().optional(),
  /** Address of the approval by the remote author of the parent. */
  approved_by: z.string().nullable().optional(),
})

export type NoteData = z.infer<typeof NoteData>

export const statusSources = operation('statuses.status.sources', {
  viewer: internal(),
  large: true,
  input: z.object({ ids: z.array(z.string()).max(100) }),
  output: z.object({ sources: z.array(NoteData) }),
  about: 'Data from which the Note documents of local statuses are written.',
})

export const outboxPage = operation('statuses.status.outbox', {
  viewer: internal(),
  input: z.object({
    author: z.string(),
    max_id: z.string().optional(),
    min_id: z.string().optional(),
    limit: z.int().max(60),
    /** False: the statuses are not counted, because counting is slow. */
    counted: z.boolean().optional(),
  }),
  output: z.object({ ids: z.array(z.string()), /** 0 without a count. */ total: z.int() }),
  about: 'Ids of an author’s public and unlisted statuses and boosts, newest first, for the outbox document.',
})

export const statusesForReport = operation('statuses.status.for-report', {
  viewer: internal(),
  input: z.object({ viewer: z.string(), author: z.string(), ids: z.array(z.string()).max(200) }),
  output: z.object({ ids: z.array(z.string()) }),
  about: 'Those of the given statuses that the author wrote and the viewer may see.',
})

export const ownStatusIds = operation('statuses.status.own-ids', {
  viewer: internal(),
  input: z.object({
    /** Account id of the local author. */
    author: z.string(),
    after: z
      .string()
      .regex(/^\d{1,19}$/)
      .optional(),
    limit: z.int().max(100),
  }),
  output: z.object({ ids: z.array(z.string()) }),
  about:
    'Ids of all statuses and boosts of an account, private ones included, oldest first; for its owner and for staff.',
})
