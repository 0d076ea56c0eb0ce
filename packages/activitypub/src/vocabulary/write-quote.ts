/** Writes activities about quotes (FEP-044f): request, answers, authorizations and their revocation. */
import { quoteContext } from './context.js'
import { publicCollection } from './uri.js'
import type { OutgoingActivity } from './write-activity.js'
import { type NoteSource, noteNode } from './write-note.js'

/** An approval: `author` lets `status` quote `quoted`. Addresses are ids of documents. */
export type StampSource = { uri: string; author: string; status: string; quoted: string }

const stampNode = (it: StampSource) => ({
  id: it.uri,
  type: 'QuoteAuthorization',
  attributedTo: it.author,
  interactingObject: it.status,
  interactionTarget: it.quoted,
})

/** An approval as a document of its own; the status that quotes is named, never shown. */
export const writeStamp = (it: StampSource) => ({ '@context': quoteContext, ...stampNode(it) })

/** The id of the request whether a local status may quote; there is one per quote. */
export const quoteRequestUri = (actor: string, statusId: string): string => `${actor}/quote_requests/${statusId}`

/** Requests the consent of the author of `quoted`. The quoting status is embedded, so that they can read it. */
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

/** The request as it was received, with the quoting status by address only. */
export type ReceivedQuoteRequest = { id: string | null; actor: string; object: string; instrument: string }

/** Answers a request: with an authorization, or with a refusal when `stamp` is null. */
export const writeQuoteAnswer = (it: {
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

/** Revokes an authorization publicly. */
export const writeDeleteOfStamp = (it: StampSource): OutgoingActivity => ({
  '@context': quoteContext,
  id: `${it.uri}#delete`,
  type: 'Delete',
  actor: it.author,
  to: [publicCollection],
  cc: [],
  object: stampNode(it),
})
