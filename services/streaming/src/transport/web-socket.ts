/** The WebSocket transport. Clients subscribe by JSON messages and receive events as text frames. */
import { type IncomingMessage, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import { StreamCommand } from '@murmuration/contracts'
import { parseJson } from '@murmuration/contracts/kit'
import { requestIdOf, securityHeaders } from '@murmuration/kernel'
import { type RawData, WebSocket, WebSocketServer } from 'ws'
import {
  allowedChannel,
  authenticate,
  checkOwner,
  languageOfCaller,
  type Opener,
  StreamRefusal,
} from '../access/index.js'
import { channelOf, isRefusal, isStreamPath } from '../channel/index.js'
import { newConnection, type Registry, type Transport } from '../connection/index.js'
import type { Context } from '../context.js'
import { type Hub, resume } from '../feed/index.js'
import { createFramer } from './frame.js'
import { pathAndQuery } from './path.js'

/** Maximum number of streams to which one WebSocket may be subscribed. */
const MAX_CHANNELS = 200
const MAX_COMMAND_BYTES = 8_192
/** Maximum number of commands of one socket that wait to be run. */
const MAX_WAITING = 500

interface Tools {
  ctx: Context
  hub: Hub
  registry: Registry
}

/** Refuses an upgrade with an HTTP response and ends the socket. `guard`: header lines of every response. */
const refuseUpgrade = (
  socket: Duplex,
  refusal: StreamRefusal,
  { requestId, language, guard }: { requestId: string; language: string; guard: readonly string[] },
): void => {
  const body = JSON.stringify(refusal.body(requestId, language))
  const lines = [
    `HTTP/1.1 ${refusal.status} ${STATUS_CODES[refusal.status]}`,
    'Connection: close',
    `X-Error-Message: ${refusal.message}`,
    `X-Request-Id: ${requestId}`,
    ...guard,
    'Content-Type: application/json; charset=utf-8',
    `Content-Language: ${language}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
  ]
  socket.end(`${lines.join('\r\n')}\r\n\r\n${body}`)
}

/**
 * The refusal for a request without a valid token: 401 at a path of streams, 404 at any other path. With a valid token, a
 * WebSocket opens at any path, because proxies may change the path.
 */
const refusalAt = (path: string, refusal: StreamRefusal): StreamRefusal =>
  refusal.status === 401 && !isStreamPath(path) ? new StreamRefusal(404, 'Not Found') : refusal

export const createWebSockets = ({ ctx, hub, registry }: Tools) => {
  const server = new WebSocketServer({
    noServer: true,
    maxPayload: MAX_COMMAND_BYTES,
    perMessageDeflate: false,
    handleProtocols: (protocols) => [...protocols][0] ?? false,
  })
  const frame = createFramer()
  const alive = new WeakMap<WebSocket, boolean>()
  let next = 1
  const guard = Object.entries(securityHeaders(ctx.site.https)).map(([name, value]) => `${name}: ${value}`)
  server.on('wsClientError', (_error, socket, req) =>
    refuseUpgrade(socket, new StreamRefusal(400, 'The request is malformed'), {
      requestId: requestIdOf(req),
      language: languageOfCaller(req, new URLSearchParams(), null),
      // A client that requested another version of the WebSocket protocol may connect again with version 13.
      guard: [...guard, 'Sec-WebSocket-Version: 13'],
    }),
  )

  const open = (
    socket: WebSocket,
    wire: Duplex,
    opener: Opener,
    { query, requestId, language }: { query: URLSearchParams; requestId: string; language: string },
  ): void => {
    const transport: Transport = {
      send: (event) => {
        // Writes the shared frame past `ws`, which would encode it for each socket. Writing past `ws` is safe because
        // `ws` writes whole frames.
        if (socket.readyState === WebSocket.OPEN) wire.write(frame(event))
      },
      buffered: () => socket.bufferedAmount,
      close: (code, reason) => {
        socket.close(code, reason)
        // The socket is terminated later, because a client that does not read does not respond to the close frame.
        setTimeout(() => socket.terminate(), 5_000).unref()
      },
    }
    const connection = newConnection(next++, opener, transport)
    const sendError = (refusal: StreamRefusal) => {
      const body = { ...refusal.body(requestId, language), status: refusal.status }
      if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify(body))
    }

    const subscribe = async (name: string, given: { tag?: string | null; list?: string | null }): Promise<void> => {
      const channel = allowedChannel(connection, name, given)
      if (connection.channels.size >= MAX_CHANNELS) throw new StreamRefusal(400, 'Too many subscriptions')
      await checkOwner(ctx, channel, connection.viewerId)
      // The socket may have closed while the owner of the list was checked. The event `close` would not be emitted
      // again.
      if (socket.readyState === WebSocket.OPEN) hub.subscribe(connection, channel)
    }
    const refused = (error: unknown): void => {
      if (error instanceof StreamRefusal) return sendError(error)
      ctx.log.warn({ error }, 'a stream could not be opened')
      sendError(new StreamRefusal(500, 'An unexpected error occurred'))
    }
    // Commands run one after the other, because an `unsubscribe` must not overtake a `subscribe` that waits for accounts.
    let commands = Promise.resolve()
    let waiting = 0
    const enqueue = (work: () => Promise<void> | void): void => {
      if (++waiting > MAX_WAITING) return socket.close(1008, 'too many commands')
      commands = commands
        .then(work)
        .catch(refused)
        .then(() => {
          waiting--
        })
    }
    /** Queues the command of a message. Messages that are no valid command are ignored. */
    const command = (data: RawData): void => {
      let value: unknown
      try {
        value = parseJson(String(data))
      } catch {
        return
      }
      const parsed = StreamCommand.safeParse(value)
      if (!parsed.success) return
      const stream = Array.isArray(parsed.data.stream) ? parsed.data.stream[0] : parsed.data.stream
      if (stream === undefined) return
      const word = (value: string | number | undefined) => (value === undefined ? null : String(value))
      const given = { tag: word(parsed.data.tag), list: word(parsed.data.list) }
      enqueue(() => {
        if (parsed.data.type === 'subscribe') return subscribe(stream, given)
        const channel = channelOf(stream, given, connection.viewerId)
        if (!isRefusal(channel)) hub.unsubscribe(connection, channel.key)
      })
    }
    socket.on('message', (data, binary) => (binary ? socket.close(1003, 'text only') : command(data)))
    socket.on('pong', () => alive.set(socket, true))
    socket.on('error', () => socket.terminate())
    socket.on('close', () => {
      hub.leave(connection)
      registry.remove(connection)
    })
    alive.set(socket, true)
    registry.add(connection)
    const since = Number(query.get('since') ?? 0)
    const wanted = query.get('stream')
    if (since > 0) connection.catchingUp = []
    if (wanted) enqueue(() => subscribe(wanted, { tag: query.get('tag'), list: query.get('list') }))
    if (since > 0) commands.then(() => resume(ctx, hub, connection, since))
  }

  const stopPings = ctx.clock.every(ctx.config.pingSeconds * 1_000, () => {
    for (const socket of server.clients) {
      if (alive.get(socket) === false) socket.terminate()
      else {
        alive.set(socket, false)
        socket.ping()
      }
    }
  })
  ctx.onClose('pings', stopPings)

  return {
    upgrade(req: IncomingMessage, socket: Duplex, head: Buffer): void {
      const { path, query } = pathAndQuery(req)
      const requestId = requestIdOf(req)
      socket.on('error', () => socket.destroy())
      const authenticated = authenticate(ctx, req, query)
      const admit = async () => {
        const opener = await authenticated
        const language = languageOfCaller(req, query, opener)
        if (registry.of(opener.viewerId) >= ctx.config.maxPerAccount)
          throw new StreamRefusal(503, 'Too many connections')
        server.handleUpgrade(req, socket, head, (opened) =>
          open(opened, socket, opener, { query, requestId, language }),
        )
      }
      admit().catch(async (error) => {
        const opener = await authenticated.catch(() => null)
        const refusal = error instanceof StreamRefusal ? error : new StreamRefusal(503, 'Try again in a moment')
        const language = languageOfCaller(req, query, opener)
        refuseUpgrade(socket, refusalAt(path, refusal), { requestId, language, guard })
      })
    },
  }
}
