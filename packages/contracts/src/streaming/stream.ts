/** Live streams over HTTP: one path for each stream, and one for WebSockets with any number of streams. */
import { z } from 'zod'
import { StreamName } from '../entities/index.js'
import { anyone, eventStream, flag, get, text, user } from '../kit/index.js'

const READ = 'read|read:statuses'
const token = { access_token: text(512).optional().describe('Access token, for browsers that cannot send the header.') }
const since = {
  since: text(20)
    .optional()
    .describe('Id of the last received event, like the header Last-Event-ID. The stream continues after it.'),
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
  'Notifications, and edits of statuses that mention the account.',
  {
    input: since,
    scopes: 'read|read:notifications',
  },
)
export const streamPublic = stream('public', 'Public statuses known to this server.', { input: media })
export const streamLocal = stream('public:local', 'Local public statuses.', { input: media })
export const streamRemote = stream('public:remote', 'Public statuses from other servers.', { input: media })
export const streamTag = stream('hashtag', 'Public statuses with a hashtag.', { input: { tag: text(1_000) } })
export const streamTagLocal = stream('hashtag:local', 'Local public statuses with a hashtag.', {
  input: { tag: text(1_000) },
})
export const streamList = stream('list', 'Statuses of a list of the viewer.', { input: { list: text(20) } })
export const streamDirect = stream('direct', 'Direct conversations.', { input: since })

/** A WebSocket connection for any number of streams. `stream`, `tag` and `list` open the first stream. */
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
  about: 'A WebSocket for any number of streams.',
})

export const streamHealth = eventStream('streaming.health.show', {
  http: get('/api/v1/streaming/health'),
  viewer: anyone(),
  input: z.object({}),
  contentType: 'text/plain',
  stream: null,
  about: 'Responds OK while streaming is running.',
})
