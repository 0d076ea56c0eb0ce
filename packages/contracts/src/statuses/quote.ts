/** Quotes of a status, quote policies, and quote requests of other servers. */
import { z } from 'zod'
import { Status } from '../entities/index.js'
import { event, get, id, internal, operation, pageFields, pageOf, post, put, textOrNone, user } from '../kit/index.js'

export const listQuotes = operation('statuses.quote.list', {
  http: get('/api/v1/statuses/:id/quotes'),
  viewer: user('read|read:statuses'),
  large: true,
  input: z.object({ id: id(), ...pageFields(20) }),
  output: pageOf(Status, 'D'),
  errors: ['not_found'],
  about: 'Statuses that quote a status, the latest quote first.',
})

export const revokeQuote = operation('statuses.quote.revoke', {
  http: post('/api/v1/statuses/:id/quotes/:quoting_status_id/revoke'),
  viewer: user('write|write:statuses'),
  input: z.object({ id: id(), quoting_status_id: id() }),
  output: Status,
  errors: ['not_found', 'forbidden'],
  about: 'Takes one’s own status out of a quote; answers with the status that quoted it.',
})

export const setInteractionPolicy = operation('statuses.status.interaction-policy', {
  http: put('/api/v1/statuses/:id/interaction_policy'),
  viewer: user('write|write:statuses'),
  input: z.object({ id: id(), quote_approval_policy: textOrNone(100).optional() }),
  output: Status,
  errors: ['not_found', 'unprocessable'],
  about: 'Changes who may quote a status of one’s own, without a new version of it.',
})

export const localQuoters = operation('statuses.quote.local-people', {
  viewer: internal(),
  input: z.object({
    status: z.string(),
    /** Cursor of the previous page. */
    after: z.string().optional(),
    limit: z.int().max(1_000).default(1_000),
  }),
  output: z.object({
    /** Account ids, each with the id of the quoting status. */
    quotes: z.array(z.object({ account: z.string(), status: z.string() })),
    next: z.string().nullable(),
  }),
  about: 'People of this server who quote a status, a page at a time.',
})

export const requestQuote = operation('statuses.quote.request', {
  viewer: internal(),
  class: 'write',
  input: z.object({
    /** Account id of the quoting author. */
    actor: z.string(),
    /** Address of the local status. */
    quoted: z.string(),
    /** Address of the quoting status, which may be unknown here. */
    status: z.string(),
  }),
  output: z.object({
    outcome: z.enum(['accepted', 'rejected', 'unknown']),
    /** Account id of the quoted author; null when the status is unknown. */
    author: z.string().nullable(),
    /** Address of the quote authorization. */
    stamp: z.string().nullable(),
  }),
  about: 'Somebody elsewhere asks whether they may quote a status of this server; asking again gives the same answer.',
})

export const answerQuote = operation('statuses.quote.answer', {
  viewer: internal(),
  class: 'write',
  input: z.object({
    /** Account id of the quoted author, who responds. */
    actor: z.string(),
    /** Id of the local quoting status. */
    status: z.string(),
    /** Address of the quote authorization; null for a refusal. */
    stamp: z.string().nullable(),
  }),
  output: z.object({ outcome: z.enum(['done', 'unchanged', 'refused']) }),
  about: 'The author of a status elsewhere answered a quote of this server.',
})

export const withdrawApproval = operation('statuses.approval.withdraw', {
  viewer: internal(),
  class: 'write',
  input: z.object({
    /** Account id of the author who revokes the approval. */
    actor: z.string(),
    /** Address of the approval. */
    approval: z.string(),
  }),
  output: z.object({
    outcome: z.enum(['done', 'unknown']),
    /** Id of the quoting status; null for a reply. */
    quoting: z.string().nullable(),
  }),
  about: 'An author elsewhere took the approval of a quote or of an answer back.',
})

export const showStamp = operation('statuses.quote.stamp', {
  viewer: internal(),
  input: z.object({ id: z.string() }),
  output: z.object({
    stamp: z
      .object({
        author: z.string(),
        /** Id of the quoted status, and addresses of both. */
        quoted: z.string(),
        quotedUri: z.string(),
        statusUri: z.string(),
      })
      .nullable(),
  }),
  about: 'An approval that somebody here gave, while it holds.',
})

const quote = z.object({
  id: z.string(),
  /** The quoting status, with its author. */
  status: z.string(),
  statusUri: z.string(),
  author: z.string(),
  local: z.boolean(),
  /** The quoted status, with its author. */
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
  data: quote.extend({ /** False for fetched statuses, true for delivered ones. */ push: z.boolean() }),
  about: 'A quote is shown: its author may quote the status, or was allowed to.',
})

export const quoteRevoked = event('statuses.quote.revoked', {
  data: quote.extend({ /** The revoked quote authorization. */ stamp: z.string().nullable() }),
  about: 'The quoted author of this server took back what allowed a quote.',
})
