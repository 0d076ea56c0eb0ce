/** Live streams over HTTP: one address for each stream, and one for WebSockets that take any number of them. */
import { z } from 'zod'
import { StreamName } from '../entities/index.js'
import { anyone, eventStream, flag, get, text, user } from '../kit/index.js'

const READ = 'read|read:statuses'
const token = { access_token: text(512).optional().describe('Instead of the header, for browsers.') }
const since = {
  since: text(20).optional().describe('Position after which to go on; the header Last-Event-ID says the same.'),
}
const media = { only_media: flag().describe('Only statuses with attachments.') }

const stream = (
  name: StreamName,
  about: string,
  more: { input?: z.ZodRawShape; scopes?: string; path?: string } = {},
) =>
  eventStream(`streaming.${name.replaceAll(':', '-')}.open`, {
    http: get(`/api/v1/streaming/${more.path ?? name.replaceAll(':', '/')}`),
    viewer: user(more.scopes ?? READ),
    input: z.object({ ...token, ...more.input }),
    contentType: 'text/event-stream',
    stream: name,
    about,
  })

export const streamUser = stream('user', 'Home feed, notifications, filters and announcements.', { input: since })
export const streamNotifications = stream(
  'user:notification',
  'Notifications, and edits of statuses that name the person.',
  {
    input: since,
    scopes: 'read|read:notifications',
  },
)
export const streamPublic = stream('public', 'Public statuses known to this server.', { input: media })
export const streamLocal = stream('public:local', 'Public statuses written here.', { input: media })
export const streamRemote = stream('public:remote', 'Public statuses from other servers.', { input: media })
export const streamTag = stream('hashtag', 'Public statuses with a hashtag.', { input: { tag: text(1_000) } })
export const streamTagLocal = stream('hashtag:local', 'Public statuses with a hashtag, written here.', {
  input: { tag: text(1_000) },
})
export const streamList = stream('list', 'Statuses of a list of one’s own.', { input: { list: text(20) } })
export const streamDirect = stream('direct', 'Direct conversations.', { input: since })

/** Any number of streams over one WebSocket; `stream`, `tag` and `list` name a first one. */
export const streamSocket = eventStream('streaming.socket.open', {
  http: get('/api/v1/streaming'),
  viewer: user('read|read:statuses|read:notifications'),
  input: z.object({
    ...token,
    ...since,
    stream: StreamName.optional(),
    tag: text(1_000).optional(),
    list: text(20).optional(),
  }),
  contentType: 'websocket',
  stream: null,
  about: 'A WebSocket for live streams.',
})

export const streamHealth = eventStream('streaming.health.show', {
  http: get('/api/v1/streaming/health'),
  viewer: anyone(),
  input: z.object({}),
  contentType: 'text/plain',
  stream: null,
  about: 'Says OK while streaming answers.',
})
