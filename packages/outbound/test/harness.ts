/** Test harness: remote servers, canaries, and a client that may reach 127.77.0.0/16 only. */

import { once } from 'node:events'
import { createServer as createHttp, type RequestListener, type Server } from 'node:http'
import { createServer as createHttps } from 'node:https'
import { type AddressInfo, createServer as createTcp, type Server as TcpServer } from 'node:net'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { createOutbound, type Outbound, OutboundError, type OutboundOptions } from '../src/index.js'
import { type Certificate, makeAuthority } from './certificates.js'
import { type NameServer, type Reply, startNameServer } from './name-server.js'

/** A test harness. `close` closes everything that it opened. */
export type Harness = Awaited<ReturnType<typeof openHarness>>

/** Starts an authority, and a name server with the responses `names`. Other names do not exist. */
export async function openHarness() {
  const names = new Map<string, Reply>()
  const authority = makeAuthority()
  const publicAuthorities = getCACertificates('default')
  setDefaultCACertificates([...publicAuthorities, authority.cert])
  const nameServer: NameServer = await startNameServer((name) => names.get(name) ?? 'nxdomain')
  const closers: (() => Promise<unknown>)[] = []

  const listen = async (server: Server | TcpServer, address: string, port: number) => {
    server.listen(port, address)
    await once(server, 'listening')
    closers.push(async () => {
      if ('closeAllConnections' in server) server.closeAllConnections()
      server.close()
      await once(server, 'close')
    })
    return (server.address() as AddressInfo).port
  }

  return {
    names,
    authority,
    nameServer,

    /** Creates a client with the guard, which allows the test network only. */
    client(options: Partial<OutboundOptions> = {}): Outbound {
      const client = createOutbound({
        userAgent: 'test/1',
        mode: 'test',
        onRefused: () => {},
        allowPrivate: true,
        allowAddresses: ['127.77.0.0/16'],
        allowHttp: true,
        dns: { servers: [nameServer.address] },
        ...options,
      })
      closers.unshift(() => client.close())
      return client
    },

    /** Starts a plain HTTP server. Returns its port, and received requests as `METHOD path`. */
    async remote(handler: RequestListener, address = '127.77.0.1') {
      const seen: string[] = []
      const server = createHttp((request, response) => {
        seen.push(`${request.method} ${request.url}`)
        handler(request, response)
      })
      const sockets = { opened: 0 }
      server.on('connection', () => (sockets.opened += 1))
      const port = await listen(server, address, 0)
      return { port, seen, sockets, origin: `http://${address}:${port}` }
    },

    /** Starts an HTTPS server with the given certificate, by default one of the authority for `names`. */
    async secureRemote(
      handler: RequestListener,
      options: { names: string[]; certificate?: Certificate; tls?: object },
    ) {
      const seen: string[] = []
      const server = createHttps(
        { ...(options.certificate ?? authority.issue({ names: options.names })), ...options.tls },
        (request, response) => {
          seen.push(`${request.method} ${request.headers.host} ${request.url}`)
          handler(request, response)
        },
      )
      server.on('tlsClientError', () => {})
      const port = await listen(server, '127.77.0.1', 0)
      return { port, seen, origin: `https://${options.names[0]}:${port}` }
    },

    /** Starts a raw TCP server on the test network, for peers with invalid HTTP. */
    async raw(onSocket: Parameters<typeof createTcp>[1], address = '127.77.0.1') {
      const server = createTcp((socket) => {
        socket.on('error', () => {})
        closers.unshift(async () => socket.destroy())
        onSocket!(socket)
      })
      const port = await listen(server, address, 0)
      return { port, origin: `http://${address}:${port}` }
    },

    /** Starts a server at a forbidden address, and counts TCP accepts. */
    async canary(address: string) {
      const accepted = { count: 0 }
      const server = createTcp((socket) => {
        accepted.count += 1
        socket.destroy()
      })
      const port = await listen(server, address, 0)
      return { port, accepted }
    },

    async close() {
      await Promise.all(closers.map((close) => close()))
      await nameServer.close()
      setDefaultCACertificates(publicAuthorities)
    },
  }
}

/** The OutboundError of a rejected promise. Throws for other errors and without a rejection. */
export async function refusal(work: Promise<unknown>): Promise<OutboundError> {
  const outcome = await work.then(
    () => 'a response',
    (error: unknown) => error,
  )
  if (!(outcome instanceof OutboundError)) throw new Error('expected an OutboundError', { cause: outcome })
  return outcome
}

/** A GET request with default limits. */
export const get = (url: string, more: object = {}) =>
  ({ method: 'GET', url, maxBytes: 1_048_576, timeoutMs: 8_000, ...more }) as const
