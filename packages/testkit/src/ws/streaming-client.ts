/** A WebSocket client of the streaming API. Tests can wait for its events. */
import WebSocket from 'ws'
import { openConnection } from '../outside/reach.js'
import { type Recorder, recorder } from '../outside/recorder.js'
import { type ConnectOptions, nextOf, readPayload, type StreamEvent, StreamRefused } from './stream-event.js'

/** An error that the server sent on an open connection. */
export interface StreamError {
  error: string
  code: string
  request_id: string
  status: number
}

export interface StreamingOptions extends ConnectOptions {
  /** Part of the request that contains the access token; `header` by default. */
  tokenIn?: 'header' | 'query' | 'protocol'
  /** Query of the URL, such as `{ stream: 'hashtag', tag: 'cats' }`. */
  query?: Record<string, string>
}

export interface StreamingClient {
  events: Recorder<StreamEvent>
  /** Messages that report an error. */
  errors: Recorder<StreamError>
  /**
   * Returns the next event with this name, or of any name if `event` is absent. Waits for an event if none has arrived.
   */
  next<P = unknown>(event?: string, withinMs?: number): Promise<StreamEvent<P>>
  /** Sends the command `subscribe`. The streaming API does not acknowledge it, so tests wait with {@link settled}. */
  subscribe(stream: string, params?: Record<string, string>): void
  unsubscribe(stream: string, params?: Record<string, string>): void
  /** Sends a frame unchanged: a text frame for a string, a binary frame for a buffer. */
  send(frame: string | Buffer): void
  /** Resolves when the server has responded to a ping, and thus has read all frames that were sent before the ping. */
  settled(): Promise<void>
  /** Stops reading from the socket, like a slow client. `resume` continues. */
  pause(): void
  resume(): void
  /** Sub-protocol that the server selected. */
  protocol: string
  /** Resolves with the close code once the connection ended. */
  closed: Promise<{ code: number; reason: string }>
  close(): Promise<void>
}

/**
 * Connects.
 *
 * @param address `ws://…/api/v1/streaming`; http and https are replaced by ws and wss
 * @throws StreamRefused when the handshake is refused
 * @example
 * const stream = await openStream(`${origin}/api/v1/streaming`, { token, query: { stream: 'user' } })
 * expect((await stream.next<Status>('update')).payload.content).toBe('<p>hello</p>')
 */
export const openStream = async (address: string, options: StreamingOptions = {}): Promise<StreamingClient> => {
  const { token, tokenIn = 'header' } = options
  const url = new URL(address.replace(/^http/, 'ws'))
  for (const [name, value] of Object.entries(options.query ?? {})) url.searchParams.set(name, value)
  if (token && tokenIn === 'query') url.searchParams.set('access_token', token)
  const events = recorder<StreamEvent>('events of the stream', ({ event, text }) => `${event} ${text}`)
  const errors = recorder<StreamError>('errors of the stream')
  const socket = new WebSocket(url, token && tokenIn === 'protocol' ? [token] : [], {
    perMessageDeflate: false,
    headers: { ...(token && tokenIn === 'header' && { authorization: `Bearer ${token}` }), ...options.headers },
    createConnection: () => openConnection(url, options),
  })
  const closed = new Promise<{ code: number; reason: string }>((resolve) => {
    socket.once('close', (code, reason) => {
      resolve({ code, reason: reason.toString() })
      const end = new Error(`the stream was closed with ${code} ${reason}`)
      events.end(end)
      errors.end(end)
    })
  })
  socket.on('message', (data) => {
    const message = JSON.parse(data.toString()) as
      | StreamError
      | (Partial<Record<'event' | 'payload' | 'id', string>> & { stream?: string[] })
    if ('error' in message) errors.push(message)
    else {
      const { event = '', payload: text, stream = [], id } = message
      events.push({ event, text, payload: readPayload(text), stream, id })
    }
  })
  await opened(socket)
  const say =
    (type: string) =>
    (stream: string, params: Record<string, string> = {}) =>
      socket.send(JSON.stringify({ type, stream, ...params }))
  return {
    events,
    errors,
    next: nextOf(events),
    subscribe: say('subscribe'),
    unsubscribe: say('unsubscribe'),
    send: (frame) => socket.send(frame),
    settled: () =>
      new Promise((resolve) => {
        socket.once('pong', () => resolve())
        socket.ping()
      }),
    pause: () => socket.pause(),
    resume: () => socket.resume(),
    protocol: socket.protocol,
    closed,
    close: async () => {
      socket.close()
      // A server that does not respond to the closing handshake must not delay the test.
      const impatience = setTimeout(() => socket.terminate(), 1_000)
      await closed
      clearTimeout(impatience)
    },
  }
}

const opened = (socket: WebSocket): Promise<void> =>
  new Promise((resolve, reject) => {
    socket.once('open', resolve)
    socket.on('error', reject)
    socket.once('unexpected-response', (_request, response) => {
      let body = ''
      response.on('data', (chunk) => {
        body += chunk
      })
      response.on('end', () => {
        reject(new StreamRefused(response.statusCode ?? 0, response.headers, body))
        socket.terminate()
      })
    })
  })
