/** Operations and events about quotes of a status, quote policies, and quote requests of other servers. */
import { z } from 'zod'
import { Status } from '../entities/index.js'
import { event, get, id, internal, operation, pageFields, pageOf, post, put, textOrNone, user } from '../kit/index.js'

export const listQuotes = operation('statuses.quote.list', {
  http: get('/api/v1/statuses/:id/quotes'),
  viewer: user('read|read:statuses'),
  large: true,
  input: z.object({ id: id(), ...pageFields(20) }),
  output: pageOf(Status, 'accounts'),
  errors: ['not_found'],
  about: 'Statuses that quote a status, latest quote first.',
})

export const revokeQuote = operation('statuses.quote.revoke', {
  http: post('/api/v1/statuses/:id/quotes/:quoting_status_id/revoke'),
  viewer: user('write|write:statuses'),
  input: z.object({ id: id(), quoting_status_id: id() }),
  output: Status,
  errors: ['not_found', 'forbidden'],
  about: 'Removes an own status from a quote, and returns the quoting status.',
})

export const setInteractionPolicy = operation('statuses.status.interaction-policy', {
  http: put('/api/v1/statuses/:id/interaction_policy'),
  viewer: user('write|write:statuses'),
  input: z.object({ id: id(), quote_approval_policy: textOrNone(100).optional() }),
  output: Status,
  errors: ['not_found', 'unprocessable'],
  about: 'Changes the quote policy of an own status, without a new version of the status.',
})

export const localQuoters = operation('statuses.quote.local-people', {
  viewer: internal(),
  input: z.object({
    status: z.string(),
    /** Value of `next` on the previous page; absent for the first page. */
    after: z.string().optional(),
    limit: z.int().max(1_000).default(1_000),
  }),
  output: z.object({
    /** Quotes of the status: account id of the quoting author, and id of the quoting status. */
    quotes: z.array(z.object({ account: z.string(), status: z.string() })),
    next: z.string().nullable(),
  }),
  about: 'Local accounts that quoted a status, in pages.',
})

export const requestQuote = operation('statuses.quote.request', {
  viewer: internal(),
  class: 'write',
  input: z.object({
    /** Account id of the quoting author. */
    actor: z.string(),
    /** ActivityPub id of the local status that is quoted. */
    quoted: z.string(),
    /** ActivityPub id of the quoting status, which may be unknown here. */
    status: z.string(),
  }),
  output: z.object({
    outcome: z.enum(['accepted', 'rejected', 'unknown']),
    /** Account id of the quoted author; null if the quoted status is unknown. */
    author: z.string().nullable(),
    /** Address of the quote authorization; null if the quote is not approved. */
    stamp: z.string().nullable(),
  }),
  about:
    'Responds to a remote account that requests to quote a local status. A repeated request gets the same response.',
})

export const respondToQuote = operation('statuses.quote.answer', {
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
  about: 'Stores the response of the author of a remote status to a quote by a local account.',
})

export const revokeApproval = operation('statuses.approval.withdraw', {
  viewer: internal(),
  class: 'write',
  input: z.object({
    /** Account id of the author who revokes the approval of a quote or reply. */
    actor: z.string(),
    /** Address of the approval that is revoked. */
    approval: z.string(),
  }),
  output: z.object({
    outcome: z.enum(['done', 'unknown']),
    /** Id of the quoting status whose approval is revoked; null if the approval is for a reply. */
    quoting: z.string().nullable(),
  }),
  about: 'Revokes the approval of a quote or reply by a remote author.',
})

export const showAuthorization = operation('statuses.quote.stamp', {
  viewer: internal(),
  input: z.object({ id: z.string() }),
  output: z.object({
    stamp: z
      .object({
        author: z.string(),
        /** Id of the quoted status. The next members are the ActivityPub ids of the quoted and of the quoting status. */
        quoted: z.string(),
        quotedUri: z.string(),
        statusUri: z.string(),
      })
      .nullable(),
  }),
  about: 'Quote authorization by a local author, while it is valid.',
})

const quote = z.object({
  id: z.string(),
  /** Id of the quoting status. The next members are its ActivityPub id and its author. */
  status: z.string(),
  statusUri: z.string(),
  author: z.string(),
  local: z.boolean(),
  /** Id of the quoted status. The next members are its ActivityPub id and its author. */
  quoted: z.string(),
  quotedUri: z.string(),
  quotedAuthor: z.string(),
  quotedLocal: z.boolean(),
})

export const quoteRequested = event('statuses.quote.requested', {
  data: quote,
  about: 'A local status quotes a remote one and waits for the approval of its author.',
})

export const quoteAccepted = event('statuses.quote.accepted', {
  data: quote.extend({ /** False for fetched statuses, true for delivered ones. */ push: z.boolean() }),
  about: 'A quote may be shown: the quote policy permits it, or the quoted author approved it.',
})

export const quoteRevoked = event('statuses.quote.revoked', {
  data: quote.extend({ /** The revoked quote authorization. */ stamp: z.string().nullable() }),
  about: 'A local author revoked the authorization of a quote.',
})
