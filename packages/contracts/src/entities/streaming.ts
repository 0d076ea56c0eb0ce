/** The live streams: their names, their events, and the messages of the WebSocket form. */
import { z } from 'zod'

/** Streams without a parameter. */
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
/** Streams of one hashtag: the name is followed by the tag as the client sent it. */
export const tagStreams = ['hashtag', 'hashtag:local'] as const
/** Streams of one list: the name is followed by its id. */
export const listStreams = ['list'] as const

export const StreamName = z
  .enum([...plainStreams, ...tagStreams, ...listStreams])
  .meta({ id: 'StreamName', description: 'A live stream.' })
export type StreamName = z.infer<typeof StreamName>

/** `gap` says that a connection missed events, while it was away or because too much happened; clients then read the timelines again. */
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
  .meta({ id: 'StreamEvent', description: 'What happened.' })
export type StreamEvent = z.infer<typeof StreamEvent>

/**
 * A message to the client. `payload` is always text, JSON inside it where the event carries an entity, and absent
 * for `filters_changed` and `gap`. `id` is the position to resume from, the same as the `id:` line of the SSE form.
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

/** A refusal on an open connection; `status` is the HTTP status it would have had. */
export const StreamError = z
  .strictObject({ error: z.string().min(1), status: z.int().min(400).max(599).optional() })
  .meta({ id: 'StreamError', description: 'A refused subscription.' })
export type StreamError = z.infer<typeof StreamError>

/** Ids and years come as numbers from some clients. */
const word = z.union([z.string(), z.number()])

/** Messages of clients. Other types and keys are ignored; the first of a list of streams counts. */
export const StreamCommand = z
  .object({
    type: z.enum(['subscribe', 'unsubscribe']),
    stream: z.union([z.string(), z.array(z.string()).min(1)]),
    tag: word.optional(),
    list: word.optional(),
  })
  .meta({ id: 'StreamCommand', description: 'A wish of the client.' })
export type StreamCommand = z.infer<typeof StreamCommand>
