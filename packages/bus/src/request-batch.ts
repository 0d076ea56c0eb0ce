/** Request batches: simultaneous requests to one subject in one message, each with its own envelope, deadline and response. */
import { olderNames } from '@murmuration/contracts/kit'
import { createBatcher } from '@murmuration/flow'
import { headers, type Msg, type NatsConnection, TimeoutError } from '@nats-io/transport-node'
import { publishAndWait } from './parts.js'
import { type Envelope, envelopeFromText, envelopeToText, type ReplyMeta, WIRE_VERSION } from './wire.js'

/** One request of a batch, or a request that was sent alone. */
export interface RpcRequest {
  readonly data: Uint8Array | string
  /** Parses the envelope. Throws when the envelope is invalid. */
  envelope(): Envelope
}

export interface RpcResponse {
  bytes: Uint8Array
  meta: ReplyMeta
}

/** Name of the header that contains the number of requests of a batch. */
const BATCH_HEADER = olderNames.requestBatch
/** Maximum number of requests of a batch. A small batch leaves requests for other processes. */
const MAX_REQUESTS = 25
const MAX_CHARACTERS = 200_000
/** Number of requests in one turn of the event loop from which on they count as a burst. After fewer requests there is no pause. */
const BURST = 4
/** Milliseconds between a burst and the next batch. */
const PAUSE_MS = 2

const encoder = new TextEncoder()
const decoder = new TextDecoder()

/** A request that waits for the next batch. */
interface Outgoing {
  readonly payload: string
  readonly envelope: Envelope
}

export interface RequestBatcher {
  /** Sends a request, in a batch or alone. Rejects if no response arrives before its deadline. */
  send(payload: string, envelope: Envelope): Promise<RpcResponse>
}

/** True for a request without line breaks that is short enough to share a batch with others. */
export const isBatchable = (payload: Uint8Array | string): payload is string =>
  typeof payload === 'string' && payload.length < MAX_CHARACTERS / 4 && !payload.includes('\n')

/** A response as a line: index of the request, metadata, text. */
const lineOf = (index: number, { meta, bytes }: RpcResponse): string =>
  JSON.stringify([index, meta, bytes.length === 0 ? '' : decoder.decode(bytes)])

/** Responses with the index of their requests. Throws if the responder does not support batches. */
const responsesIn = (message: Msg): [number, RpcResponse][] =>
  message
    .string()
    .split('\n')
    .map((line) => {
      const [index, meta, text] = JSON.parse(line) as [number, ReplyMeta, string]
      return [index, { meta, bytes: encoder.encode(text) }]
    })

/**
 * Sends simultaneous requests on this subject in batches. `alone` sends a request that has no other one in its batch.
 */
export const createRequestBatcher = (
  nc: NatsConnection,
  subject: string,
  kind: 'read' | 'write',
  alone: (payload: string, envelope: Envelope) => Promise<RpcResponse>,
): RequestBatcher => {
  const together = (requests: readonly Outgoing[]): Promise<RpcResponse>[] => {
    const open = new Map(requests.map((_, index) => [index, Promise.withResolvers<RpcResponse>()]))
    const responses = [...open.values()].map(({ promise }) => promise)
    const timers: NodeJS.Timeout[] = []
    const end = (index: number): PromiseWithResolvers<RpcResponse> | undefined => {
      const response = open.get(index)
      if (open.delete(index)) clearTimeout(timers[index])
      return response
    }
    const lose = (error: unknown): void => {
      for (const index of [...open.keys()]) end(index)?.reject(error)
    }
    const h = headers()
    h.set('Version', WIRE_VERSION)
    h.set(BATCH_HEADER, String(requests.length))
    const lines = requests.flatMap(({ envelope, payload }) => [envelopeToText(envelope), payload])
    try {
      const stopWaiting = publishAndWait(nc, lines.join('\n'), h, {
        subject,
        kind,
        receive(message) {
          // An exception here would end the processing of all messages of the connection.
          try {
            for (const [index, response] of responsesIn(message)) end(index)?.resolve(response)
          } catch (error) {
            lose(error)
          }
          return open.size === 0
        },
        lose,
      })
      for (const [index, { envelope }] of requests.entries())
        timers[index] = setTimeout(
          () => {
            end(index)?.reject(new TimeoutError())
            if (open.size === 0) stopWaiting()
          },
          Math.max(0, envelope.remainingMs),
        )
    } catch (error) {
      lose(error)
    }
    return responses
  }

  const send = createBatcher<Outgoing, RpcResponse>(
    async (requests) => {
      const [first] = requests
      return first !== undefined && requests.length === 1 ? [alone(first.payload, first.envelope)] : together(requests)
    },
    {
      max: MAX_REQUESTS,
      maxSize: MAX_CHARACTERS,
      sizeOf: ({ payload }) => payload.length,
      concurrency: Number.POSITIVE_INFINITY,
      burst: { size: BURST, pauseMs: PAUSE_MS },
      fullAtOnce: true,
      retryAlone: false,
      runIn: (work) => work(),
    },
  )
  return { send: (payload, envelope) => send({ payload, envelope }) }
}

/** The requests of a batch; null for any other message. */
export const requestsIn = (message: Msg): RpcRequest[] | null => {
  const count = Number(message.headers?.get(BATCH_HEADER) || 0)
  if (count === 0) return null
  const lines = decoder.decode(message.data).split('\n')
  return Array.from({ length: Math.min(count, MAX_REQUESTS) }, (_, i) => ({
    data: lines[2 * i + 1] ?? '',
    envelope: () => envelopeFromText(lines[2 * i] ?? ''),
  }))
}

/** Sends responses to a batch. Responses that are ready in one turn of the event loop are sent in one message. */
export const responder = (
  message: Msg,
  unsent: (error: unknown) => void,
): ((index: number, response: RpcResponse) => void) => {
  let lines: string[] = []
  const send = (): void => {
    const text = lines.join('\n')
    lines = []
    try {
      message.respond(text)
    } catch (error) {
      unsent(error)
    }
  }
  return (index, response) => {
    if (lines.push(lineOf(index, response)) === 1) setImmediate(send)
  }
}
