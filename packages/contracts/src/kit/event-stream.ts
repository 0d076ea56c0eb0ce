/** Addresses that the streaming service answers itself: connections that stay open are no requests over the bus. */
import type { z } from 'zod'
import type { Audience } from './audience.js'
import type { Route } from './http.js'

export interface EventStream {
  readonly kind: 'event-stream'
  /** `streaming.<noun>.<verb>`. */
  readonly name: string
  readonly http: Route
  readonly viewer: Audience<'user' | 'anyone'>
  /** Query. */
  readonly input: z.ZodType
  /** The response. */
  readonly contentType: 'text/event-stream' | 'text/plain' | 'websocket'
  /** Name of the live stream that is opened; null for addresses that open none by themselves. */
  readonly stream: string | null
  readonly about: string
}

/** Declares such an address; streaming serves it. */
export const eventStream = (name: string, spec: Omit<EventStream, 'kind' | 'name'>): EventStream => ({
  kind: 'event-stream',
  name,
  ...spec,
})
