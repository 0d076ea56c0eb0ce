/** Several events of one subject in one message, so that a flood costs the bus and each listener one message for many. */
import type { JsMsg } from '@nats-io/jetstream'
import type { Outgoing } from './publish.js'

/** An event on its way. */
export interface Parcel {
  id: string
  /** W3C trace context, or empty. */
  trace: string
  /** JSON, which has no line breaks of its own. */
  data: string
}

/** So few that a message is soon worked off, and that one process does not hold what others have hands for. */
export const MOST_OF_BUNDLE = 25
const MOST_CHARACTERS = 200_000

/** Parcels cut into bundles that are neither many nor long; a long one goes alone. */
export const bundlesOf = <P extends Parcel>(parcels: readonly P[]): P[][] => {
  const bundles: P[][] = []
  let room = 0
  for (const parcel of parcels) {
    const last = bundles.at(-1)
    room -= parcel.data.length
    if (last !== undefined && last.length < MOST_OF_BUNDLE && room >= 0) last.push(parcel)
    else {
      bundles.push([parcel])
      room = MOST_CHARACTERS - parcel.data.length
    }
  }
  return bundles
}

/** One message for a bundle. A single event looks as it always did: its data, with its id in a header. */
export const writeBundle = (subject: string, id: string, bundle: readonly Parcel[]): Outgoing => {
  const [first] = bundle
  if (first !== undefined && bundle.length === 1)
    return { subject, data: first.data, id, headers: { 'Event-Id': first.id, traceparent: first.trace } }
  const traces = bundle.some((parcel) => parcel.trace !== '') ? bundle.map((parcel) => parcel.trace).join(',') : ''
  return {
    subject,
    data: bundle.map((parcel) => parcel.data).join('\n'),
    id,
    headers: { 'Event-Ids': bundle.map((parcel) => parcel.id).join(','), traceparents: traces },
  }
}

/** How many events a message carries; 1 for everything that is no bundle. */
export const sizeOf = (message: JsMsg): number => message.headers?.get('Event-Ids').split(',').length ?? 1

/** What a message carries. What names no event goes under the id of the message. */
export const readBundle = (message: JsMsg): Parcel[] => {
  const of = (key: string) => message.headers?.get(key) ?? ''
  // PostgreSQL takes no NUL in a text, and what cannot be buried would come again for ever.
  const text = new TextDecoder().decode(message.data).replaceAll('\0', '\ufffd')
  if (of('Event-Ids') === '')
    return [{ id: of('Event-Id') || of('Nats-Msg-Id') || String(message.seq), trace: of('traceparent'), data: text }]
  const traces = of('traceparents').split(',')
  const lines = text.split('\n')
  return of('Event-Ids')
    .split(',')
    .map((id, i) => ({ id, trace: traces[i] ?? '', data: lines[i] ?? '' }))
}
