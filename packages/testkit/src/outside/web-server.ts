/** A small HTTP or HTTPS server for tests: raw request bodies, simple responses, and cut sockets at the end. */
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo, Server } from 'node:net'

export interface ListenOptions {
  /** Address to bind; loopback by default. */
  host?: string
  /** 0, the default, takes a free port. */
  port?: number
  /** With a key and certificate (PEM) the server speaks HTTPS. */
  tls?: { key: string; cert: string }
  /** The host name of this server for clients; the bound address when absent. */
  name?: string
  /** The port for clients, if the server is reached by an address of a test network; the bound port when absent. */
  publicPort?: number
}

export interface Received {
  method: string
  /** Path and query exactly as they stood in the request line. */
  path: string
  headers: IncomingHttpHeaders
  /** Names and values in turn, in the order and case of the wire. */
  rawHeaders: string[]
  body: Buffer
}

/** Response of a handler. Handlers return undefined when they handled the response themselves (hung, cut the socket). */
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
  /** Scheme, name and, unless it is the default of the scheme, port: the start of ids and endpoints. */
  origin: string
  host: string
  port: number
  /** Stops listening and cuts every open connection. */
  close(): Promise<void>
}

const MAX_BODY = 16 * 1024 * 1024

/** Starts a server; an error in the handler becomes a 500 with its message. */
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

/** Binds any server; rejects with the system's reason when the address is taken. */
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
