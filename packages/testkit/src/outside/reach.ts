/** How test clients connect to a server: to the host of its URL, to another address, or through a test network. */
import { type ClientRequest, request as plainRequest, type RequestOptions } from 'node:http'
import { request as tlsRequest } from 'node:https'
import { connect, isIP, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { connect as connectTls } from 'node:tls'

export interface Reach {
  /** PEM of the certificate authority to trust, instead of the authorities of the system. */
  ca?: string | undefined
  /** Address to connect to, instead of the host and port of the URL. The `Host` header, SNI and certificate check use the URL. */
  connectTo?: { host: string; port: number } | undefined
  /** Opens the connection, for servers in a test network. If present, `connectTo` is ignored. */
  openSocket?: ((host: string, port: number) => Duplex) | undefined
}

/** Starts one request on a new connection. The caller must end the request. */
export const beginRequest = (url: URL, how: Reach, options: RequestOptions): ClientRequest => {
  const request = url.protocol === 'https:' ? tlsRequest : plainRequest
  const headers = { host: url.host, ...(options.headers as Record<string, string>) }
  const path = url.pathname + url.search
  return request({ ...options, path, headers, createConnection: () => openConnection(url, how) })
}

/** Opens the connection for a URL, with TLS if its scheme is https or wss. */
export const openConnection = (url: URL, { ca, connectTo, openSocket }: Reach): Socket => {
  const secure = url.protocol === 'https:' || url.protocol === 'wss:'
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const port = Number(url.port) || (secure ? 443 : 80)
  // Connects to 127.0.0.1 directly, on which servers of tests listen. A lookup of the name would try ::1 first.
  const raw =
    openSocket?.(host, port) ?? connect(connectTo ?? { host: host === 'localhost' ? '127.0.0.1' : host, port })
  if (!secure) return raw as Socket
  const named = isIP(host) === 0 ? { servername: host } : { host }
  const socket = connectTls({ socket: raw, ca, ...named })
  // The TLS socket gets no event if the socket below it cannot be opened, so errors of that socket are forwarded.
  raw.on('error', (error) => socket.destroy(error))
  return socket
}
