/** Writes what servers say to each other about quotes (FEP-044f): the question, the answers, approvals and their end. */
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

/** The id of the question whether a status of ours may quote; there is one for each. */
export const quoteRequestUri = (actor: string, statusId: string): string => `${actor}/quote_requests/${statusId}`

/** Asks the author of `quoted`; the status comes along, so that they can see what they are quoted in. */
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

/** The question as it came, with the status that quotes by address only. */
export type ReceivedQuoteRequest = { id: string | null; actor: string; object: string; instrument: string }

/** Answers a question: with an approval, or with a refusal when `stamp` is null. */
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

/** Takes an approval back, before everybody. */
export const writeDeleteOfStamp = (it: StampSource): OutgoingActivity => ({
  '@context': quoteContext,
  id: `${it.uri}#delete`,
  type: 'Delete',
  actor: it.author,
  to: [publicCollection],
  cc: [],
  object: stampNode(it),
})
