/** One open connection, WebSocket or SSE: its account, its channels, and its limit of unsent bytes. */
import type { Opener } from '../access/index.js'
import type { Channel } from '../channel/index.js'
import { createGap, type Gap } from './gap.js'

/** Output side of a connection. WebSocket and SSE each implement it. */
export interface Transport {
  /** Writes one event of one stream to the client. */
  send(event: Outgoing): void
  /** Bytes that were written and not yet sent to the client. */
  buffered(): number
  /** `code` is a WebSocket close code. Server-sent events use the code only to recognise TOO_SLOW. */
  close(code: number, reason: string): void
}

export interface Outgoing {
  stream: readonly string[]
  event: string
  /** Payload of the event; undefined for events without payload. */
  payload: string | undefined
  /** Position in the account's log, from which a client can resume; null for public streams. */
  seq: number | null
}

export interface Connection {
  readonly id: number
  readonly viewerId: string
  readonly tokenId: string
  readonly token: string
  readonly scopes: readonly string[]
  /** Proof that the account has an open stream, see `Opener.grant`. */
  readonly grant: string | undefined
  /** Channels (streams with parameters) to which the connection is subscribed, by `key`. */
  readonly channels: Map<string, Channel>
  readonly transport: Transport
  /**
   * Position in the account's log up to which events were sent while resuming. Zero if the connection did not resume.
   */
  resumedTo: number
  /**
   * While the connection resumes: live events, which are sent after the events of the account's log. Null if the
   * connection does not resume.
   */
  catchingUp: Outgoing[] | null
  /** Settles when all events received for the account so far are sent. Each event waits for the previous event. */
  tail: Promise<void>
  /** Number of received events of the account that are not sent yet. */
  waiting: number
  /** Sends `gap` to the channels with surface `user` when an event of the account was lost. */
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

/** Close code 1013, "try again later", for a client that reads too slowly. Source: IANA registry of close codes (RFC 6455, 11.7). */
export const TOO_SLOW = 1013

/** Maximum number of live events that wait for the end of the resumption. */
const MAX_CATCHING_UP = 1_000

/**
 * Sends an event to a connection. While the connection resumes, queues the event instead. Skips an event that was
 * already sent while resuming. Closes the connection instead if more than `maxBuffered` bytes are unsent.
 */
export const deliver = (connection: Connection, event: Outgoing, maxBuffered: number): void => {
  if (event.seq !== null) {
    if (connection.catchingUp) {
      if (connection.catchingUp.length < MAX_CATCHING_UP) connection.catchingUp.push(event)
      else connection.transport.close(TOO_SLOW, 'too much at once, reconnect and resume')
      return
    }
    if (event.seq <= connection.resumedTo) return
  }
  if (connection.transport.buffered() > maxBuffered)
    connection.transport.close(TOO_SLOW, 'too slow, reconnect and resume')
  else connection.transport.send(event)
}
