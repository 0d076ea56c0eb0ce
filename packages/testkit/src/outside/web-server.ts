/** A small HTTP or HTTPS server for tests. Handlers get raw request bodies. Closing the server also closes its open connections. */
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo, Server } from 'node:net'

export interface ListenOptions {
  /** Address on which the server listens; loopback by default. */
  host?: string
  /** Port on which the server listens. 0, the default, means any free port. */
  port?: number
  /** Key and certificate in PEM. If set, the server uses HTTPS. */
  tls?: { key: string; cert: string }
  /** Host name of the server in URLs. The default is the address on which it listens. */
  name?: string
  /** Port of the server in URLs, if it is reached through a test network. The default is the port on which it listens. */
  publicPort?: number
}

export interface Received {
  method: string
  /** Path and query, exactly as in the request line. */
  path: string
  headers: IncomingHttpHeaders
  /** Names and values alternating, in the order and case in which they were received. */
  rawHeaders: string[]
  body: Buffer
}

/**
 * Response of a handler. A handler returns undefined if it used the socket itself, for example closed it or left the
 * request open.
 */
export interface StubResponse {
  status: number
  headers?: Record<string, string>
  body?: string | Buffer
}

export type Handler = (
  request: Received,
  raw: { request: IncomingMessage; response: ServerResponse },
) => StubResponse | undefined | Promise<StubResponse | undefined>

export interface WebServer {
  /** Origin: scheme, host, and the port unless it is the default of the scheme. Ids and endpoints begin with the origin. */
  origin: string
  host: string
  port: number
  /** Stops listening, and closes all open connections. */
  close(): Promise<void>
}

const MAX_BODY = 16 * 1024 * 1024

/** Starts a server. An error of the handler causes a response 500 with its message. */
export const serve = async (handler: Handler, options: ListenOptions = {}): Promise<WebServer> => {
  const listener = (request: IncomingMessage, response: ServerResponse) => {
    respond(handler, request, response).catch((error: Error) => {
      if (!response.headersSent) response.writeHead(500, { 'content-type': 'text/plain' })
      response.end(error.message)
    })
  }
  const server = options.tls ? createTlsServer({ ...options.tls }, listener) : createServer(listener)
  const { host, port, close } = await listenOn(server, options)
  const usual = options.tls ? 443 : 80
  const publicPort = options.publicPort ?? port
  const origin = `${options.tls ? 'https' : 'http'}://${options.name ?? host}${publicPort === usual ? '' : `:${publicPort}`}`
  return {
    origin,
    host,
    port,
    close: () => {
      server.closeAllConnections()
      return close()
    },
  }
}

/** Listens on an address. Rejects with the error of the system if the address is in use. */
export const listenOn = async (
  server: Server,
  { host = '127.0.0.1', port = 0 }: Pick<ListenOptions, 'host' | 'port'>,
): Promise<{ host: string; port: number; close: () => Promise<void> }> => {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      server.off('error', reject)
      resolve()
    })
  })
  return {
    host,
    port: (server.address() as AddressInfo).port,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}

const respond = async (handler: Handler, request: IncomingMessage, response: ServerResponse): Promise<void> => {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > MAX_BODY) throw new Error(`body larger than ${MAX_BODY} bytes`)
    chunks.push(chunk)
  }
  const result = await handler(
    {
      method: request.method ?? '',
      path: request.url ?? '',
      headers: request.headers,
      rawHeaders: request.rawHeaders,
      body: Buffer.concat(chunks),
    },
    { request, response },
  )
  if (!result) return
  response.writeHead(result.status, result.headers)
  response.end(result.body)
}
