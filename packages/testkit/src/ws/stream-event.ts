/** One event of the streaming API, in the same shape from WebSocket and server-sent events. */
import type { Reach } from '../outside/reach.js'
import type { Recorder } from '../outside/recorder.js'

export interface StreamEvent<P = unknown> {
  event: string
  /**
   * The payload: parsed if it is an object or a list, otherwise the text; undefined if absent. Ids stay text, because
   * they exceed the range of JavaScript numbers.
   */
  payload: P
  /** The payload of the event as received, unparsed. */
  text: string | undefined
  /** Stream of the subscription; WebSocket only. */
  stream: string[]
  /** Position after which a client can resume: `id:` of server-sent events, `id` of WebSocket messages; undefined without one. */
  id: string | undefined
}

/** Options of a connection to the streaming API. */
export interface ConnectOptions extends Reach {
  /** Access token. */
  token?: string | undefined
  headers?: Record<string, string>
}

/**
 * Parses the payload of an event if it is an object or a list. Any other payload stays text, because ids exceed the
 * range of JavaScript numbers.
 */
export const readPayload = (text: string | undefined): unknown =>
  text !== undefined && /^[{[]/.test(text) ? JSON.parse(text) : text

/** Returns the next event with this name. Without a name, returns the next event of any name. */
export const nextOf =
  (events: Recorder<StreamEvent>) =>
  <P = unknown>(name?: string, withinMs?: number): Promise<StreamEvent<P>> =>
    events.next((one) => name === undefined || one.event === name, withinMs) as Promise<StreamEvent<P>>

/** A refusal with the response of the server. */
export class StreamRefused extends Error {
  override readonly name = 'StreamRefused'
  readonly status: number
  readonly headers: Record<string, string | string[] | undefined>
  readonly body: string

  constructor(status: number, headers: Record<string, string | string[] | undefined>, body: string) {
    super(`the stream was refused with ${status}: ${body || headers['x-error-message'] || 'no reason given'}`)
    this.status = status
    this.headers = headers
    this.body = body
  }
}
