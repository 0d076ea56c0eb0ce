/** Writes quote authorizations, and the activities about them (FEP-044f). */
import { quoteContext } from './context.js'
import { publicCollection } from './uri.js'
import type { OutgoingActivity } from './write-activity.js'
import { type NoteSource, noteNode } from './write-note.js'

/** Authorization with the id `uri`: the actor `author` permits that `status` quotes `quoted`. All values are ids. */
export type AuthorizationSource = { uri: string; author: string; status: string; quoted: string }

const authorizationNode = (it: AuthorizationSource) => ({
  id: it.uri,
  type: 'QuoteAuthorization',
  attributedTo: it.author,
  interactingObject: it.status,
  interactionTarget: it.quoted,
})

/** Writes an authorization as a document. The document contains only the ids of the quoting and the quoted status. */
export const writeQuoteAuthorization = (it: AuthorizationSource) => ({
  '@context': quoteContext,
  ...authorizationNode(it),
})

/** Id of the QuoteRequest for a local quoting status. Each quote has one QuoteRequest. */
export const quoteRequestUri = (actor: string, statusId: string): string => `${actor}/quote_requests/${statusId}`

/** Writes the QuoteRequest to the author of `quoted`. The quoting status is embedded, so that the author can see it. */
export const writeQuoteRequest = (it: {
  id: string
  note: NoteSource
  quoted: string
  quotedAuthor: string
}): OutgoingActivity => ({
  '@context': quoteContext,
  id: it.id,
  type: 'QuoteRequest',
  actor: it.note.authorUri,
  to: [it.quotedAuthor],
  cc: [],
  object: it.quoted,
  instrument: noteNode(it.note),
})

/** A QuoteRequest as received, with only the id of the quoting status. */
export type ReceivedQuoteRequest = { id: string | null; actor: string; object: string; instrument: string }

/** Writes the Accept of a QuoteRequest with the authorization `stamp`, or the Reject if `stamp` is null. */
export const writeQuoteResponse = (it: {
  id: string
  actor: string
  request: ReceivedQuoteRequest
  stamp: string | null
}): OutgoingActivity => ({
  '@context': quoteContext,
  id: it.id,
  type: it.stamp === null ? 'Reject' : 'Accept',
  actor: it.actor,
  to: [it.request.actor],
  cc: [],
  object: { type: 'QuoteRequest', ...it.request },
  ...(it.stamp === null ? {} : { result: it.stamp }),
})

/** Writes the public Delete of a quote authorization, which revokes the approval. */
export const writeDeleteOfAuthorization = (it: AuthorizationSource): OutgoingActivity => ({
  '@context': quoteContext,
  id: `${it.uri}#delete`,
  type: 'Delete',
  actor: it.author,
  to: [publicCollection],
  cc: [],
  object: authorizationNode(it),
})
