/** Paths that the streaming service serves itself, because open connections are not requests on the bus. */
import type { z } from 'zod'
import type { Audience } from './audience.js'
import type { Route } from './http.js'

export interface EventStream {
  readonly kind: 'event-stream'
  /** Name of the event stream: `streaming.<noun>.<verb>`. */
  readonly name: string
  readonly http: Route
  readonly viewer: Audience<'user' | 'anyone'>
  /** Schema of the query parameters. */
  readonly input: z.ZodType
  /** Content type of the response, or `websocket`. */
  readonly contentType: 'text/event-stream' | 'text/plain' | 'websocket'
  /** Name of the stream that a connection to this path opens; null for paths that open no stream themselves. */
  readonly stream: string | null
  readonly about: string
}

/** Declares an event stream, which the streaming service serves. */
export const eventStream = (name: string, spec: Omit<EventStream, 'kind' | 'name'>): EventStream => ({
  kind: 'event-stream',
  name,
  ...spec,
})
