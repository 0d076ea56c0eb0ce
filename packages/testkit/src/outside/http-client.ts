/** One HTTP request without any convenience: no redirects, no decoding, another address than the name's if asked. */
import { request as plainRequest } from 'node:http'
import { request as tlsRequest } from 'node:https'
import { isIP } from 'node:net'
import type { Duplex } from 'node:stream'

export interface Reply {
  status: number
  headers: Record<string, string | string[] | undefined>
  body: Buffer
  text: string
  /** The body parsed; throws when it is no JSON. */
  json<T = unknown>(): T
}

export interface RequestOptions {
  method?: string
  headers?: Record<string, string | string[]>
  body?: string | Buffer
  /** Connects here instead of to the URL's host and port; `Host`, SNI and certificate check keep the URL's name. */
  connectTo?: { host: string; port: number }
  /** Opens the connection itself, for servers inside another network; wins over `connectTo`. */
  openSocket?: (host: string, port: number) => Duplex
  /** PEM of an authority to trust besides none. */
  ca?: string
  /** Milliseconds until the request fails, 10,000 by default. */
  withinMs?: number
}

/** Sends one request over a fresh connection. */
export const request = (target: string | URL, options: RequestOptions = {}): Promise<Reply> => {
  const url = new URL(target)
  const secure = url.protocol === 'https:'
  const port = Number(url.port) || (secure ? 443 : 80)
  const { openSocket, connectTo } = options
  return new Promise((resolve, reject) => {
    const outgoing = (secure ? tlsRequest : plainRequest)({
      method: options.method ?? 'GET',
      host: connectTo?.host ?? url.hostname.replace(/^\[|\]$/g, ''),
      port: connectTo?.port ?? port,
      path: url.pathname + url.search,
      headers: { host: url.host, ...options.headers },
      agent: false,
      ...(options.ca && { ca: options.ca }),
      ...(secure && isIP(url.hostname) === 0 && { servername: url.hostname }),
      ...(openSocket &&
        (secure
          ? { socket: openSocket(url.hostname, port) }
          : { createConnection: () => openSocket(url.hostname, port) as never })),
      timeout: options.withinMs ?? 10_000,
    })
    outgoing.on('timeout', () => outgoing.destroy(new Error(`no answer from ${url.host} in time`)))
    outgoing.on('error', reject)
    outgoing.on('response', (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('error', reject)
      response.on('end', () => {
        const body = Buffer.concat(chunks)
        const text = body.toString('utf8')
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          body,
          text,
          json: <T>() => JSON.parse(text) as T,
        })
      })
    })
    outgoing.end(options.body)
  })
}
