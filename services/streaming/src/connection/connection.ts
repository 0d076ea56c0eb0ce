/** One open connection, WebSocket or SSE alike: who it is for, what it wants, and how much may wait for it. */
import type { Channel } from '../domain/channel.js'
import { createGap, type Gap } from '../feed/gap.js'
import type { Opener } from './auth.js'

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
  /** Position in the person's log, for resuming. */
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
  /** While it catches up, live events of the person wait here. */
  catchingUp: Outgoing[] | null
  /** The end of the line of personal events, so that each waits for the one before. */
  tail: Promise<void>
  /** Personal events in that line. */
  waiting: number
  /** What of them could not be streamed. */
  readonly gap: Gap
}

export const newConnection = (id: number, opener: Opener, transport: Transport): Connection => {
  const channels = new Map<string, Channel>()
  const tellGap = () => {
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
    gap: createGap(tellGap),
  }
}

/** Close code for a reader that is too slow: try again later, and resume. */
export const TOO_SLOW = 1013

/** Sends unless it was sent before; cuts off a reader that lets too much wait. */
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
