/** HTTP servers of a process: apps that want the same port share one server, each with its own paths. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { describeSpan, SERVICE_ATTRIBUTE } from '@murmuration/telemetry'
import { createCrowd } from './http-crowd.js'
import { answerClientError, NOT_FOUND, refuseRequest, refuseSocket, STARTING, tooManyLines } from './http-refusal.js'

export interface Mount {
  /** Whose work it is, for traces. */
  service: string
  /** True for the requests that this app answers; the first mount that says so gets it. */
  matches(path: string): boolean
  request?(req: IncomingMessage, res: ServerResponse): void
  upgrade?(req: IncomingMessage, socket: Duplex, head: Buffer): void
}

export interface SharedServer {
  readonly port: number
  mount(mount: Mount): void
  /** All apps have mounted: from now on what nobody takes is not found. */
  complete(): void
  /** Stops accepting, lets requests in hand finish for at most `ms`, then cuts. */
  close(ms: number): Promise<void>
}

const pathOf = (req: IncomingMessage): string => {
  const url = req.url ?? '/'
  const query = url.indexOf('?')
  return query < 0 ? url : url.slice(0, query)
}

/** Opens a server with the limits of D035 (F072: times are checked each second). Bodies are timed by who reads them. */
export const openServer = async (
  host: string,
  port: number,
  { https, socketsPerAddress }: { https: boolean; socketsPerAddress: number },
): Promise<SharedServer> => {
  const mounts: Mount[] = []
  let nobodys = STARTING
  const server: Server = createServer(
    {
      connectionsCheckingInterval: 1_000,
      maxHeaderSize: 16_384,
      headersTimeout: 10_000,
      requestTimeout: 130_000,
      keepAliveTimeout: 65_000,
    },
    (req, res) => {
      const refusal = tooManyLines(req)
      const mount = mounts.find((one) => one.request && one.matches(pathOf(req)))
      if (!refusal && mount?.request) {
        describeSpan({ [SERVICE_ATTRIBUTE]: mount.service })
        mount.request(req, res)
      } else refuseRequest(res, refusal ?? nobodys, https)
    },
  )
  server.maxRequestsPerSocket = 1_000
  const crowd = createCrowd(socketsPerAddress)
  server.on('connection', (socket) => {
    const address = socket.remoteAddress ?? ''
    if (crowd.enter(address)) socket.once('close', () => crowd.leave(address))
    else socket.destroy()
  })
  server.on('clientError', answerClientError(https))
  server.on('upgrade', (req, socket, head) => {
    const refusal = tooManyLines(req)
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
    close: (ms) =>
      new Promise((resolve) => {
        const cut = setTimeout(() => server.closeAllConnections(), ms)
        server.close(() => {
          clearTimeout(cut)
          resolve()
        })
        server.closeIdleConnections()
      }),
  }
}
