/** Request batches: requests of one moment to one subject in one message, each with its own envelope, deadline and response. */
import { headers, type Msg, type NatsConnection, TimeoutError } from '@nats-io/transport-node'
import { publishAndWait } from './parts.js'
import { type Envelope, envelopeFromText, envelopeToText, type ReplyMeta, WIRE_VERSION } from './wire.js'

/** One request of a batch, or a message that is one request. */
export interface RpcRequest {
  readonly data: Uint8Array | string
  /** Throws when it cannot be read. */
  envelope(): Envelope
}

export interface RpcResponse {
  bytes: Uint8Array
  meta: ReplyMeta
}

/** Header with the number of requests of a batch. Its name is part of the wire format. */
const BATCH_HEADER = 'Convoy'
/** Few enough that other processes get requests too. */
const MOST = 25
const MOST_CHARACTERS = 200_000
/** Milliseconds between two batches. A single request is sent in the same turn of the event loop. */
const PAUSE_MS = 2

const encoder = new TextEncoder()
const decoder = new TextDecoder()

interface Waiting {
  readonly payload: string
  readonly envelope: Envelope
  readonly resolve: (response: RpcResponse) => void
  readonly reject: (error: unknown) => void
  timer: NodeJS.Timeout | undefined
}

export interface RequestBatcher {
  /** Sends a request, in a batch or alone. Rejects without a response in time. */
  ask(payload: string, envelope: Envelope): Promise<RpcResponse>
}

/** True for a request of one line that leaves space for others. */
export const isBatchable = (payload: Uint8Array | string): payload is string =>
  typeof payload === 'string' && payload.length < MOST_CHARACTERS / 4 && !payload.includes('\n')

/** A response as a line: index of the request, metadata, text. */
const lineOf = (index: number, { meta, bytes }: RpcResponse): string =>
  JSON.stringify([index, meta, bytes.length === 0 ? '' : decoder.decode(bytes)])

/** Responses with the index of their requests. Throws when the sender knows no batches. */
const responsesIn = (message: Msg): [number, RpcResponse][] =>
  message
    .string()
    .split('\n')
    .map((line) => {
      const [index, meta, text] = JSON.parse(line) as [number, ReplyMeta, string]
      return [index, { meta, bytes: encoder.encode(text) }]
    })

/** Batches the requests of this connection to this subject. `alone` sends a single one. */
export const createRequestBatcher = (
  nc: NatsConnection,
  subject: string,
  kind: 'read' | 'write',
  alone: (payload: string, envelope: Envelope) => Promise<RpcResponse>,
): RequestBatcher => {
  let waiting: Waiting[] = []
  let planned = false
  let leftAt = Number.NEGATIVE_INFINITY

  const together = (requests: readonly Waiting[]): void => {
    const open = new Set(requests.keys())
    const end = (index: number): Waiting | null => {
      const request = requests[index]
      if (request === undefined || !open.delete(index)) return null
      clearTimeout(request.timer)
      return request
    }
    const lose = (error: unknown): void => {
      for (const index of [...open]) end(index)?.reject(error)
    }
    const h = headers()
    h.set('Version', WIRE_VERSION)
    h.set(BATCH_HEADER, String(requests.length))
    const lines = requests.flatMap(({ envelope, payload }) => [envelopeToText(envelope), payload])
    try {
      const forget = publishAndWait(nc, lines.join('\n'), h, {
        subject,
        kind,
        hear(message) {
          // An exception here would end the reading of the whole connection.
          try {
            for (const [index, response] of responsesIn(message)) end(index)?.resolve(response)
          } catch (error) {
            lose(error)
          }
          return open.size === 0
        },
        lose,
      })
      for (const [index, request] of requests.entries())
        request.timer = setTimeout(
          () => {
            end(index)?.reject(new TimeoutError())
            if (open.size === 0) forget()
          },
          Math.max(0, request.envelope.remainingMs),
        )
    } catch (error) {
      lose(error)
    }
  }

  /** The oldest requests that fit into a message. */
  const take = (): Waiting[] => {
    let characters = 0
    let many = 0
    for (const { payload } of waiting.slice(0, MOST)) {
      characters += payload.length
      if (characters > MOST_CHARACTERS) break
      many++
    }
    const taken = waiting.slice(0, many)
    waiting = waiting.slice(many)
    return taken
  }

  const leave = (): void => {
    planned = false
    leftAt = performance.now()
    const taken = take()
    const [first] = taken
    if (first !== undefined && taken.length === 1)
      alone(first.payload, first.envelope).then(first.resolve, first.reject)
    else together(taken)
    plan()
  }

  const plan = (): void => {
    if (planned || waiting.length === 0) return
    planned = true
    const left = leftAt + PAUSE_MS - performance.now()
    if (left > 0 && waiting.length < MOST) setTimeout(leave, left)
    else setImmediate(leave)
  }

  return {
    ask: (payload, envelope) =>
      new Promise((resolve, reject) => {
        waiting.push({ payload, envelope, resolve, reject, timer: undefined })
        plan()
      }),
  }
}

/** The requests of a batch; null for any other message. */
export const requestsIn = (message: Msg): RpcRequest[] | null => {
  const count = Number(message.headers?.get(BATCH_HEADER) || 0)
  if (count === 0) return null
  const lines = decoder.decode(message.data).split('\n')
  return Array.from({ length: Math.min(count, MOST) }, (_, i) => ({
    data: lines[2 * i + 1] ?? '',
    envelope: () => envelopeFromText(lines[2 * i] ?? ''),
  }))
}

/** Sends responses to a batch: those of one turn of the event loop in one message. */
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
