/**
 * Maps names of streams to channels: which live subjects feed them, which events they carry, and which scopes and
 * parameters a subscriber needs.
 */
import { type ErrorText, errorText, isId } from '@murmuration/contracts/kit'
import { allEventStreams } from '@murmuration/contracts/registry'
import type { LiveMessage } from '@murmuration/contracts/statuses'
import { streamSocket } from '@murmuration/contracts/streaming'
import { normaliseTag } from '@murmuration/text'
import { tagToken } from '@murmuration/text/tag-token'

/** Values of a query parameter that count as false. All other values count as true. */
const FALSE = new Set(['', 'false', '0', 'f', 'F', 'FALSE', 'off', 'OFF'])
export const isTrue = (value: string | null | undefined): boolean =>
  value !== null && value !== undefined && !FALSE.has(value)

/** Members of a live message that decide which streams carry it. */
export type Routed = Pick<LiveMessage, 'e' | 'local' | 'media' | 'to'>

export interface Channel {
  /** Identifies the stream with its parameters. A connection is subscribed to the same key only once. */
  readonly key: string
  /** The `stream` member of WebSocket messages: the name, and the tag or list id. */
  readonly stream: readonly string[]
  /** NATS subjects that carry the events of this stream. */
  readonly subjects: readonly string[]
  /** True if the stream carries the message. */
  readonly accepts: (message: Routed) => boolean
  /** The access token needs one of these scopes. */
  readonly scopes: readonly string[]
  /** `surface`: where the status is shown. The statuses service applies the visibility rules of this surface. */
  readonly surface: 'public' | 'hashtag' | 'user'
  /** Id of the list that is streamed; only its owner may listen. */
  readonly list?: string
}

export type Refusal = { status: 400 | 401 | 404; text: ErrorText }
export const NOT_YOUR_LIST: Refusal = { status: 401, text: errorText('Not authorized to stream this list') }

const USER_EVENTS = new Set([
  'update',
  'status.update',
  'delete',
  'notification',
  'notifications_merged',
  'filters_changed',
  'announcement',
  'announcement.reaction',
  'announcement.delete',
])
const NOTIFICATION_EVENTS = new Set(['notification', 'notifications_merged'])
const POSTS = new Set(['update', 'status.update', 'delete'])
const READ_STATUSES = ['read', 'read:statuses']
const READ_NOTIFICATIONS = ['read', 'read:notifications']

const LOCAL = 'live.public.local'
const REMOTE = 'live.public.remote'
/** Subject of announcements. The stream `user` of every account includes this subject. */
const EVERYONE = 'live.everyone.announcement'

/** A stream of public statuses. With `media`, the stream contains only statuses that have attachments. */
const open = (name: string, subjects: string[], media: boolean): Channel => ({
  key: name,
  stream: [name],
  subjects,
  accepts: (message) => POSTS.has(message.e) && (!media || message.e === 'delete' || message.media === true),
  scopes: READ_STATUSES,
  surface: 'public',
})

/** The channel of a stream name with its parameters, for one viewer. */
export const channelOf = (
  name: string,
  given: { tag?: string | null; list?: string | null },
  viewerId: string,
): Channel | Refusal => {
  switch (name) {
    case 'user':
      return {
        key: 'user',
        stream: ['user'],
        subjects: [`seq.user.${viewerId}`, EVERYONE],
        accepts: (m) => USER_EVENTS.has(m.e) && m.to !== 'notification',
        scopes: READ_STATUSES,
        surface: 'user',
      }
    case 'user:notification':
      return {
        key: name,
        stream: [name],
        subjects: [`seq.user.${viewerId}`],
        // The stream of notifications carries `notification` events, and `status.update` of statuses that mention the
        // account. It carries no other events with a status.
        accepts: (m) => NOTIFICATION_EVENTS.has(m.e) || (m.e === 'status.update' && m.to !== undefined),
        scopes: READ_NOTIFICATIONS,
        surface: 'user',
      }
    case 'direct':
      return {
        key: name,
        stream: [name],
        subjects: [`seq.user.${viewerId}`],
        accepts: (m) => m.e === 'conversation',
        scopes: READ_STATUSES,
        surface: 'user',
      }
    case 'public':
      return open(name, [LOCAL, REMOTE], false)
    case 'public:media':
      return open(name, [LOCAL, REMOTE], true)
    case 'public:local':
      return open(name, [LOCAL], false)
    case 'public:local:media':
      return open(name, [LOCAL], true)
    case 'public:remote':
      return open(name, [REMOTE], false)
    case 'public:remote:media':
      return open(name, [REMOTE], true)
    case 'hashtag':
    case 'hashtag:local': {
      const tag = normaliseTag(given.tag ?? '')
      if (!tag) return { status: 400, text: errorText('Missing tag name parameter') }
      const local = name === 'hashtag:local'
      return {
        key: `${name}:${tag}`,
        stream: [name, given.tag ?? ''],
        subjects: [`live.tag.${tagToken(tag)}`],
        accepts: (m) => POSTS.has(m.e) && (!local || m.local === true),
        scopes: READ_STATUSES,
        surface: 'hashtag',
      }
    }
    case 'list': {
      const list = given.list ?? ''
      if (list === '') return { status: 400, text: errorText('Missing list name parameter') }
      // Only a valid id may be put into a subject, because `*` and `>` are wildcards there.
      if (!isId(list)) return NOT_YOUR_LIST
      return {
        key: `list:${list}`,
        stream: [name, list],
        subjects: [`live.list.${list}`],
        accepts: (m) => POSTS.has(m.e),
        scopes: READ_STATUSES,
        surface: 'user',
        list,
      }
    }
    default:
      return { status: 400, text: errorText('Unknown stream type') }
  }
}

export const isRefusal = (value: Channel | Refusal): value is Refusal => 'status' in value

/** Path of an SSE endpoint → name of its stream. Source: the contracts. */
const OPENED = new Map(
  allEventStreams().flatMap((one) => (one.stream === null ? [] : [[one.http.path, one.stream] as const])),
)

/** True for the path of the WebSocket, and for the paths of SSE endpoints. */
export const isStreamPath = (path: string): boolean => path === streamSocket.http.path || OPENED.has(path)

/** The stream name of an SSE path, or null. `onlyMedia` selects the `:media` variant of public streams and is ignored for others. */
export const streamOfPath = (path: string, onlyMedia: boolean): string | null => {
  const stream = OPENED.get(path)
  if (stream === undefined) return null
  return onlyMedia && /^public\b/.test(stream) ? `${stream}:media` : stream
}
