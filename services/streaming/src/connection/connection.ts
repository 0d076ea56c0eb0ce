/** One open connection, WebSocket or SSE: its account, its channels, and the limit of bytes that may wait for it. */
import type { Opener } from '../access/index.js'
import type { Channel } from '../channel/index.js'
import { createGap, type Gap } from './gap.js'

/** Writes to the wire; the two transports differ only here. */
export interface Transport {
  /** One event for one stream. `data` is shared by all listeners of the same text. */
  send(event: Outgoing): void
  /** Bytes waiting. */
  buffered(): number
  close(code: number, reason: string): void
}

export interface Outgoing {
  stream: readonly string[]
  event: string
  /** Undefined for events without payload. */
  payload: string | undefined
  /** Position in the account's log, for resuming. */
  seq: number | null
}

export interface Connection {
  readonly id: number
  readonly viewerId: string
  readonly tokenId: string
  readonly token: string
  readonly scopes: readonly string[]
  readonly grant: string | undefined
  readonly channels: Map<string, Channel>
  readonly transport: Transport
  /** Positions up to this one were sent while resuming. */
  resumedTo: number
  /** Live events of the account that arrived while it resumes; null when it does not. */
  catchingUp: Outgoing[] | null
  /** Settles when all events of the account so far are sent. Each event waits for the one before. */
  tail: Promise<void>
  /** Number of those events that are not sent yet. */
  waiting: number
  /** Reports events of the account that could not be streamed. */
  readonly gap: Gap
}

export const newConnection = (id: number, opener: Opener, transport: Transport): Connection => {
  const channels = new Map<string, Channel>()
  const sendGap = () => {
    for (const { surface, stream } of channels.values())
      if (surface === 'user') transport.send({ stream, event: 'gap', payload: undefined, seq: null })
  }
  return {
    id,
    ...opener,
    channels,
    transport,
    resumedTo: 0,
    catchingUp: null,
    tail: Promise.resolve(),
    waiting: 0,
    gap: createGap(sendGap),
  }
}

/** Close code for a client that reads too slowly: it should connect again and resume (RFC 6455, 7.4.1). */
export const TOO_SLOW = 1013

/** Sends an event unless it was sent before. Closes the connection if more than `maxBuffered` bytes wait. */
export const deliver = (connection: Connection, event: Outgoing, maxBuffered: number): void => {
  if (event.seq !== null) {
    if (connection.catchingUp) {
      connection.catchingUp.push(event)
      return
    }
    if (event.seq <= connection.resumedTo) return
  }
  if (connection.transport.buffered() > maxBuffered)
    connection.transport.close(TOO_SLOW, 'too slow, reconnect and resume')
  else connection.transport.send(event)
}
