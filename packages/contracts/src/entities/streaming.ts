/** Schemas of streams of the streaming API: names, events and WebSocket messages. */
import { z } from 'zod'

/** Names of streams that have no parameter. */
export const plainStreams = [
  'user',
  'user:notification',
  'public',
  'public:media',
  'public:local',
  'public:local:media',
  'public:remote',
  'public:remote:media',
  'direct',
] as const
/** Streams of one hashtag. The name is followed by the hashtag as the client sent it. */
export const tagStreams = ['hashtag', 'hashtag:local'] as const
/** Streams of one list. The name is followed by the list id. */
export const listStreams = ['list'] as const

export const StreamName = z
  .enum([...plainStreams, ...tagStreams, ...listStreams])
  .meta({ id: 'StreamName', description: 'A live stream.' })
export type StreamName = z.infer<typeof StreamName>

/**
 * Events of the streaming API. `gap`: the connection missed events, because it was interrupted or there were too many.
 * Clients then reload the timelines.
 */
export const StreamEvent = z
  .enum([
    'update',
    'status.update',
    'delete',
    'notification',
    'notifications_merged',
    'conversation',
    'filters_changed',
    'announcement',
    'announcement.reaction',
    'announcement.delete',
    'gap',
  ])
  .meta({ id: 'StreamEvent', description: 'Name of an event.' })
export type StreamEvent = z.infer<typeof StreamEvent>

/**
 * Message to a client of the streaming API. `payload` is text, which is JSON if the event contains an entity; absent
 * for `filters_changed` and `gap`. `id` is the position to resume from, as in the `id:` line of SSE.
 */
export const StreamMessage = z
  .strictObject({
    stream: z.union([
      z.tuple([z.enum(plainStreams)]),
      z.tuple([z.enum([...tagStreams, ...listStreams]), z.string().min(1)]),
    ]),
    event: StreamEvent,
    payload: z.string().optional(),
    id: z.string().min(1).optional(),
  })
  .meta({ id: 'StreamMessage', description: 'An event on a live stream.' })
export type StreamMessage = z.infer<typeof StreamMessage>

/**
 * A refused subscription on an open connection. `status` is the HTTP status of an equivalent request, and `code` and
 * `request_id` are those of an error response.
 */
export const StreamError = z
  .strictObject({
    error: z.string().min(1),
    code: z.string().min(1),
    request_id: z.string().min(1),
    status: z.int().min(400).max(599),
  })
  .meta({ id: 'StreamError', description: 'A refused subscription.' })
export type StreamError = z.infer<typeof StreamError>

/** A parameter of a stream as text, or as a number, because some clients send ids and years as numbers. */
const word = z.union([z.string(), z.number()])

/**
 * Messages from clients. Unknown types and members of messages are ignored. If a message lists several streams, only
 * the first is read.
 */
export const StreamCommand = z
  .object({
    type: z.enum(['subscribe', 'unsubscribe']),
    stream: z.union([z.string(), z.array(z.string()).min(1)]),
    tag: word.optional(),
    list: word.optional(),
  })
  .meta({ id: 'StreamCommand', description: 'A message from the client.' })
export type StreamCommand = z.infer<typeof StreamCommand>
