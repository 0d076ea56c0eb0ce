/** HTTP servers of a process. The apps on one port share a server, and each app serves its own paths. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { Server as NetServer } from 'node:net'
import type { Duplex } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import { describeSpan, SERVICE_ATTRIBUTE } from '@murmuration/telemetry'
import { createConnectionLimit } from './connection-limit.js'
import {
  headerProblem,
  NOT_FOUND,
  refuseRequest,
  refuseSocket,
  respondToClientError,
  STARTING,
  UNEXPECTED,
} from './http-refusal.js'

export interface Mount {
  /** Name of the service for traces. */
  service: string
  /** True for paths that this app serves. A request goes to the first app for which this is true. */
  matches(path: string): boolean
  request?(req: IncomingMessage, res: ServerResponse): void
  upgrade?(req: IncomingMessage, socket: Duplex, head: Buffer): void
}

export interface SharedServer {
  readonly port: number
  mount(mount: Mount): void
  /** `complete` is called when all apps are mounted. From then on unknown paths get 404. */
  complete(): void
  /** Sends `Connection: close` with every further response, so that clients close their connections. */
  drain(): void
  /**
   * Stops listening when no connection arrived for `quietMs` milliseconds, after `ms` milliseconds at the latest.
   * Because the operating system resets connections that the process has not accepted yet. Requests on open connections
   * are still served.
   */
  stopListening(quietMs: number, ms: number): Promise<void>
  /** Waits at most `ms` milliseconds for requests in progress, and closes idle connections. Then cuts all other connections. */
  close(ms: number): Promise<void>
}

const pathOf = (req: IncomingMessage): string => {
  const url = req.url ?? '/'
  const query = url.indexOf('?')
  return query < 0 ? url : url.slice(0, query)
}

/**
 * Opens a server with the limits of D035. Timeouts of headers are checked every second (F072). Handlers themselves
 * limit the time for receiving a body.
 */
export const openServer = async (
  host: string,
  port: number,
  { https, socketsPerAddress }: { https: boolean; socketsPerAddress: number },
): Promise<SharedServer> => {
  const mounts: Mount[] = []
  const inProgress = new Set<ServerResponse>()
  let nobodys = STARTING
  let draining = false
  let lastConnection = 0
  const server: Server = createServer(
    {
      connectionsCheckingInterval: 1_000,
      maxHeaderSize: 16_384,
      headersTimeout: 10_000,
      requestTimeout: 130_000,
      keepAliveTimeout: 65_000,
      // `headerProblem` refuses requests without Host, with the headers of every response.
      requireHostHeader: false,
      // An offer of another protocol, such as `h2c` by HTTP libraries of Java, is ignored (RFC 9110, 7.8). A WebSocket is opened
      // with GET (RFC 6455, 4.1), so other methods are usual requests.
      shouldUpgradeCallback: (req) =>
        req.method === 'GET' && /(?:^|,)\s*websocket\s*(?:,|$)/i.test(req.headers.upgrade ?? ''),
    },
    (req, res) => {
      inProgress.add(res)
      res.once('close', () => inProgress.delete(res))
      if (draining) res.shouldKeepAlive = false
      const refusal = headerProblem(req)
      const mount = mounts.find((one) => one.request && one.matches(pathOf(req)))
      if (!refusal && mount?.request) {
        describeSpan({ [SERVICE_ATTRIBUTE]: mount.service })
        mount.request(req, res)
      } else refuseRequest(res, refusal ?? nobodys, https)
    },
  )
  server.maxRequestsPerSocket = 1_000
  const connections = createConnectionLimit(socketsPerAddress)
  server.on('connection', (socket) => {
    lastConnection = performance.now()
    const address = socket.remoteAddress ?? ''
    if (connections.enter(address)) socket.once('close', () => connections.leave(address))
    else socket.destroy()
  })
  server.on('checkExpectation', (_req, res) => refuseRequest(res, UNEXPECTED, https))
  server.on('clientError', respondToClientError(https))
  server.on('upgrade', (req, socket, head) => {
    const refusal = headerProblem(req)
    const mount = mounts.find((one) => one.upgrade && one.matches(pathOf(req)))
    if (!refusal && mount?.upgrade) mount.upgrade(req, socket, head)
    else refuseSocket(socket, refusal ?? nobodys, https)
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, 1_024, resolve)
  })
  const address = server.address()
  return {
    port: typeof address === 'object' && address ? address.port : port,
    mount: (mount) => mounts.push(mount),
    complete: () => {
      nobodys = NOT_FOUND
    },
    drain: () => {
      draining = true
      // `Connection: close` cannot be added to a response whose headers are already sent. The connection of such a
      // response stays open until the next response.
      for (const res of inProgress) res.shouldKeepAlive = false
    },
    async stopListening(quietMs, ms) {
      const until = performance.now() + ms
      while (performance.now() < Math.min(until, lastConnection + quietMs)) await pause(20)
      // The close method of Node's HTTP server would also cut idle connections, on which a request may be arriving.
      if (server.listening) NetServer.prototype.close.call(server)
    },
    async close(ms) {
      const until = performance.now() + ms
      if (server.listening) NetServer.prototype.close.call(server)
      while (inProgress.size > 0 && performance.now() < until) await pause(10)
      const closed = new Promise<void>((resolve) => {
        // The server emits `close` when its last connection is closed, including WebSockets.
        server.getConnections((_error, count) => (count ? server.once('close', resolve) : resolve()))
      })
      const cut = setTimeout(() => server.closeAllConnections(), Math.max(0, until - performance.now()))
      server.close()
      await Promise.race([closed, pause(ms + 1_000, undefined, { ref: false })])
      clearTimeout(cut)
    },
  }
}
