/** A client of server-sent events (the streaming API over HTTP). Tests can wait for its events. It can resume after an event id. */
import type { IncomingMessage } from 'node:http'
import { StringDecoder } from 'node:string_decoder'
import { beginRequest } from '../outside/reach.js'
import { type Recorder, recorder } from '../outside/recorder.js'
import { type ConnectOptions, nextOf, readPayload, type StreamEvent, StreamRefused } from './stream-event.js'

export interface EventSourceOptions extends ConnectOptions {
  /** Value of the header `Last-Event-ID`. The server resumes after this event. */
  lastEventId?: string | undefined
}

export interface EventSource {
  headers: IncomingMessage['headers']
  events: Recorder<StreamEvent>
  /** Comment lines without their leading colon, such as `thump`. */
  comments: Recorder<string>
  next<P = unknown>(event?: string, withinMs?: number): Promise<StreamEvent<P>>
  /** The last received `id:`, with which a client resumes. */
  lastEventId(): string | undefined
  /** Stops reading from the socket, like a slow client. `resume` continues. */
  pause(): void
  resume(): void
  /** Resolves when the client or the server has ended the stream. */
  closed: Promise<void>
  close(): Promise<void>
}

/**
 * Connects. Resolves when the headers of a response with status 200 are received.
 *
 * @throws StreamRefused for any other response
 * @see https://html.spec.whatwg.org/multipage/server-sent-events.html
 * @example const source = await openEventSource(`${origin}/api/v1/streaming/user`, { token })
 */
export const openEventSource = async (address: string, options: EventSourceOptions = {}): Promise<EventSource> => {
  const response = await open(new URL(address), options)
  if (response.statusCode !== 200) {
    const body = (await response.setEncoding('utf8').toArray()).join('')
    throw new StreamRefused(response.statusCode ?? 0, response.headers, body)
  }
  const events = recorder<StreamEvent>('server-sent events', ({ event, text }) => `${event} ${text}`)
  const comments = recorder<string>('comments of the event stream')
  let lastEventId = options.lastEventId
  const decoder = new StringDecoder('utf8')
  const read = lineReader({
    comment: (text) => comments.push(text),
    event: (event, text, id) => {
      lastEventId = id ?? lastEventId
      events.push({ event, text, payload: readPayload(text), stream: [], id })
    },
  })
  response.on('data', (chunk: Buffer) => read(decoder.write(chunk)))
  response.on('error', () => {})
  const closed = new Promise<void>((resolve) => {
    response.once('close', () => {
      resolve()
      const end = new Error('the event stream was closed')
      events.end(end)
      comments.end(end)
    })
  })
  return {
    headers: response.headers,
    events,
    comments,
    next: nextOf(events),
    lastEventId: () => lastEventId,
    pause: () => response.pause(),
    resume: () => response.resume(),
    closed,
    close: async () => {
      response.destroy()
      await closed
    },
  }
}

const open = (url: URL, options: EventSourceOptions): Promise<IncomingMessage> => {
  const { token, lastEventId, headers } = options
  return new Promise((resolve, reject) => {
    const outgoing = beginRequest(url, options, {
      headers: {
        accept: 'text/event-stream',
        ...(token && { authorization: `Bearer ${token}` }),
        ...(lastEventId !== undefined && { 'last-event-id': lastEventId }),
        ...headers,
      },
    })
    outgoing.once('response', resolve)
    outgoing.once('error', reject)
    outgoing.end()
  })
}

interface LineSink {
  event(name: string, data: string, id: string | undefined): void
  comment(text: string): void
}

/** Parses lines into events. Events without data are ignored, as in the standard. */
const lineReader = (sink: LineSink): ((text: string) => void) => {
  let pending = ''
  let name = ''
  let data: string[] = []
  let id: string | undefined
  const onLine = (line: string): void => {
    if (line === '') {
      if (data.length > 0) sink.event(name || 'message', data.join('\n'), id)
      name = ''
      data = []
      id = undefined
      return
    }
    if (line.startsWith(':')) {
      sink.comment(line.slice(1).trim())
      return
    }
    const at = line.indexOf(':')
    const field = at < 0 ? line : line.slice(0, at)
    const value = at < 0 ? '' : line.slice(at + 1).replace(/^ /, '')
    if (field === 'event') name = value
    else if (field === 'data') data.push(value)
    else if (field === 'id') id = value
  }
  return (text) => {
    const lines = (pending + text).split(/\r\n|\n/)
    pending = lines.pop()!
    for (const line of lines) onLine(line)
  }
}
