/** Connection of test clients to a server: by its own address, another address, or through a test network. */
import { type ClientRequest, request as plainRequest, type RequestOptions } from 'node:http'
import { request as tlsRequest } from 'node:https'
import { connect, isIP, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { connect as connectTls } from 'node:tls'

export interface Reach {
  /** PEM of an authority to trust instead of the system's. */
  ca?: string | undefined
  /** Connects here instead of to the URL's host and port; `Host`, SNI and certificate check keep the URL's name. */
  connectTo?: { host: string; port: number } | undefined
  /** Opens the connection itself, for servers inside a test network; wins over `connectTo`. */
  openSocket?: ((host: string, port: number) => Duplex) | undefined
}

/** Begins one request over a fresh connection; the caller ends it. */
export const beginRequest = (url: URL, how: Reach, options: RequestOptions): ClientRequest => {
  const request = url.protocol === 'https:' ? tlsRequest : plainRequest
  const headers = { host: url.host, ...(options.headers as Record<string, string>) }
  const path = url.pathname + url.search
  return request({ ...options, path, headers, createConnection: () => openConnection(url, how) })
}

/** Opens the connection for an address; TLS when its scheme is https or wss. */
export const openConnection = (url: URL, { ca, connectTo, openSocket }: Reach): Socket => {
  const secure = url.protocol === 'https:' || url.protocol === 'wss:'
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const port = Number(url.port) || (secure ? 443 : 80)
  // Servers of tests listen on 127.0.0.1, and looking up the name would try ::1 first.
  const raw =
    openSocket?.(host, port) ?? connect(connectTo ?? { host: host === 'localhost' ? '127.0.0.1' : host, port })
  if (!secure) return raw as Socket
  const named = isIP(host) === 0 ? { servername: host } : { host }
  const socket = connectTls({ socket: raw, ca, ...named })
  // TLS over an existing socket gets no event if the socket could not be opened.
  raw.on('error', (error) => socket.destroy(error))
  return socket
}
