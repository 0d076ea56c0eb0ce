/** Event batches: several events of one subject in one message. */
import { chunkBySize } from '@murmuration/flow'
import type { JsMsg } from '@nats-io/jetstream'
import type { Outgoing } from './publish.js'

/** An event of a batch. */
export interface BatchedEvent {
  id: string
  /** W3C trace context, or empty. */
  trace: string
  /** Data of the event as JSON on one line. */
  data: string
}

/** Maximum number of events of a batch. A small batch is handled quickly, and leaves events for other processes. */
export const MAX_EVENTS = 25
const MAX_CHARACTERS = 200_000

/** Splits events into batches by number and length. A long event is sent alone. */
export const eventBatches = <P extends BatchedEvent>(events: readonly P[]): P[][] =>
  chunkBySize(events, { max: MAX_EVENTS, maxSize: MAX_CHARACTERS, sizeOf: (event) => event.data.length })

/** The message for a batch: the data of the events, one per line, and their ids in the header `Event-Ids`. A single event has its id in `Event-Id`. */
export const writeEventBatch = (subject: string, id: string, batch: readonly BatchedEvent[]): Outgoing => {
  const [first] = batch
  if (first !== undefined && batch.length === 1)
    return { subject, data: first.data, id, headers: { 'Event-Id': first.id, traceparent: first.trace } }
  const traces = batch.some((event) => event.trace !== '') ? batch.map((event) => event.trace).join(',') : ''
  return {
    subject,
    data: batch.map((event) => event.data).join('\n'),
    id,
    headers: { 'Event-Ids': batch.map((event) => event.id).join(','), traceparents: traces },
  }
}

/** The number of events in a message; 1 if it is no batch. */
export const sizeOf = (message: JsMsg): number => message.headers?.get('Event-Ids').split(',').length ?? 1

/** The events or jobs of a message. Without the headers `Event-Ids` and `Event-Id`, the id of the message is used. */
export const readEventBatch = (message: JsMsg): BatchedEvent[] => {
  const of = (key: string) => message.headers?.get(key) ?? ''
  // PostgreSQL stores no NUL in a text. An event with NUL could not become a dead letter and would be redelivered
  // permanently.
  const text = new TextDecoder().decode(message.data).replaceAll('\0', '\ufffd')
  if (of('Event-Ids') === '')
    return [{ id: of('Event-Id') || of('Nats-Msg-Id') || String(message.seq), trace: of('traceparent'), data: text }]
  const traces = of('traceparents').split(',')
  const lines = text.split('\n')
  return of('Event-Ids')
    .split(',')
    .map((id, i) => ({ id, trace: traces[i] ?? '', data: lines[i] ?? '' }))
}
