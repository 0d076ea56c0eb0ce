/** The SSE transport: one stream per request, positions of the log as `id:`, heartbeats as comments. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { streamHealth, streamSocket } from '@murmuration/contracts/streaming'
import { requestIdOf, securityHeaders } from '@murmuration/kernel'
import {
  allowedChannel,
  authenticate,
  checkOwner,
  languageOfCaller,
  type Opener,
  StreamRefusal,
} from '../access/index.js'
import { isTrue, streamOfPath } from '../channel/index.js'
import { newConnection, type Registry, TOO_SLOW, type Transport } from '../connection/index.js'
import type { Context } from '../context.js'
import { type Hub, resume } from '../feed/index.js'
import { pathAndQuery } from './path.js'

/** Milliseconds between two heartbeats on an SSE connection. */
const BEAT_MS = 15_000
/**
 * Milliseconds between the end of a response and the destruction of its socket. Without this limit, a client that does not
 * read would keep the socket open.
 */
const END_MS = 5_000

interface Tools {
  ctx: Context
  hub: Hub
  registry: Registry
}

const refuse = (res: ServerResponse, refusal: StreamRefusal, language: string): void => {
  const requestId = requestIdOf(res.req)
  res.writeHead(refusal.status, {
    'Content-Type': 'application/json; charset=utf-8',
    'Cache-Control': 'private, no-store',
    'Content-Language': language,
    'X-Request-Id': requestId,
  })
  res.end(JSON.stringify(refusal.body(requestId, language)))
}

export const createEventStreams = ({ ctx, hub, registry }: Tools) => {
  // Ids of SSE connections start at this number, so that they differ from those of WebSockets, which start at 1.
  let next = 1_000_000_000
  const guard = Object.entries(securityHeaders(ctx.site.https))

  const open = async (
    req: IncomingMessage,
    res: ServerResponse,
    name: string,
    query: URLSearchParams,
    opener: Opener,
  ): Promise<void> => {
    const channel = allowedChannel(opener, name, { tag: query.get('tag'), list: query.get('list') })
    await checkOwner(ctx, channel, opener.viewerId)
    if (registry.of(opener.viewerId) >= ctx.config.maxPerAccount) throw new StreamRefusal(503, 'Too many connections')
    // The client disconnected during the calls above. The event `close` would not be emitted again.
    if (res.destroyed) return
    res.writeHead(200, {
      'Content-Type': 'text/event-stream',
      'Cache-Control': 'private, no-store',
      'X-Accel-Buffering': 'no',
    })
    if (req.method === 'HEAD') return void res.end()
    res.write(':)\n')
    const transport: Transport = {
      send: ({ event, payload, seq }) => {
        if (!res.writableEnded) res.write(`${seq === null ? '' : `id: ${seq}\n`}event: ${event}\ndata: ${payload}\n\n`)
      },
      buffered: () => res.writableLength,
      // An EventSource client connects again with the last `id:`. The socket of a client that reads too slowly is
      // destroyed, because the client would not read the end.
      close: (code) => {
        if (code === TOO_SLOW) return void res.destroy()
        res.end()
        setTimeout(() => res.destroy(), END_MS).unref()
      },
    }
    const connection = newConnection(next++, opener, transport)
    const stopBeat = ctx.clock.every(BEAT_MS, () => {
      if (res.writableLength > ctx.config.maxBuffered) res.destroy()
      else if (!res.writableEnded) res.write(':thump\n\n')
    })
    res.on('close', () => {
      stopBeat()
      hub.leave(connection)
      registry.remove(connection)
    })
    registry.add(connection)
    const since = Number(req.headers['last-event-id'] ?? query.get('since') ?? 0)
    const resumes = since > 0 && channel.surface === 'user'
    if (resumes) connection.catchingUp = []
    hub.subscribe(connection, channel)
    if (resumes) await resume(ctx, hub, connection, since)
  }

  return {
    request(req: IncomingMessage, res: ServerResponse): void {
      res.setHeader('Access-Control-Allow-Origin', '*')
      for (const [name, value] of guard) res.setHeader(name, value)
      const { path, query } = pathAndQuery(req)
      if (req.method === 'OPTIONS') {
        res.writeHead(204, {
          'Access-Control-Allow-Methods': 'GET, OPTIONS',
          'Access-Control-Allow-Headers': 'Authorization, Accept, Cache-Control, Last-Event-ID',
        })
        res.end()
        return
      }
      const language = languageOfCaller(req, query, null)
      if (req.method !== 'GET' && req.method !== 'HEAD')
        return refuse(res, new StreamRefusal(404, 'Not Found'), language)
      if (path === streamHealth.http.path) {
        res.writeHead(200, { 'Content-Type': 'text/plain' })
        res.end('OK')
        return
      }
      // The WebSocket address without an upgrade is not found (S-104).
      if (path === streamSocket.http.path) return refuse(res, new StreamRefusal(404, 'Not Found'), language)
      const name = streamOfPath(path, isTrue(query.get('only_media')))
      if (name === null) return refuse(res, new StreamRefusal(400, 'Unknown channel requested'), language)
      const authenticated = authenticate(ctx, req, query)
      authenticated
        .then((opener) => open(req, res, name, query, opener))
        .catch(async (error) => {
          if (res.headersSent) return void res.destroy()
          if (!(error instanceof StreamRefusal)) ctx.log.warn({ error }, 'a stream could not be opened')
          const opener = await authenticated.catch(() => null)
          const refusal =
            error instanceof StreamRefusal
              ? error
              : new StreamRefusal(503, 'There was a temporary problem serving your request, please try again')
          refuse(res, refusal, languageOfCaller(req, query, opener))
        })
    },
  }
}
