/** Connection of one service to NATS: its own login, its own inbox prefix, unlimited reconnection. */
import { connect, type NatsConnection, PermissionViolationError } from '@nats-io/transport-node'
import { openMailbox, setDisconnected, stopDirecting } from './parts.js'

export interface ConnectOptions {
  /** One or more `nats://host:port`, comma separated. */
  url: string
  /** Name of the service: its login, and part of its inbox prefix. */
  service: string
  /** Connection name in the listings of the NATS server. */
  name: string
  /** Login of the service; null when the URL carries the credentials. */
  password: string | null
  onStatus?: (status: string, detail: string) => void
  /** Called while no server responds: after 5 seconds, then each minute, with the hosts and ports without credentials. */
  onWait?: (hosts: string) => void
}

const FIRST_WAIT_MS = 5_000
const NEXT_WAIT_MS = 60_000

/** Calls `onWait` after the first wait time, and after each next one. Returns a function that ends the calls. */
const whileWaiting = (onWait: () => void): (() => void) => {
  const report = (): void => {
    onWait()
    timer = setTimeout(report, NEXT_WAIT_MS)
  }
  let timer = setTimeout(report, FIRST_WAIT_MS)
  return () => clearTimeout(timer)
}

/** Reply inboxes live below this prefix, so that no service can read or forge the replies to another service (F029). */
export const inboxPrefix = (service: string): string => `_INBOX_${service}`

const isDirected = (error: unknown): boolean =>
  error instanceof PermissionViolationError && /^rpc\.(?:[^.]+\.){3}[^.]+$/.test(error.subject)

/** Connects, and waits for the server without a limit, because services start in any order (F082). */
export const connectBus = async (options: ConnectOptions): Promise<NatsConnection> => {
  const servers = options.url.split(',').map((one) => one.trim())
  const hosts = servers.map((one) => URL.parse(one)?.host ?? '').join(', ')
  const stopWaiting = whileWaiting(() => options.onWait?.(hosts))
  const nc = await connect({
    servers,
    // The client ignores the scheme `tls:`. Without this option it would log in without TLS if the server offers none.
    ...(servers.some((one) => one.startsWith('tls:')) ? { tls: {} } : {}),
    name: options.name,
    ...(options.password === null ? {} : { user: options.service, pass: options.password }),
    inboxPrefix: inboxPrefix(options.service),
    waitOnFirstConnect: true,
    maxReconnectAttempts: -1,
    reconnectTimeWait: 250,
    reconnectJitter: 250,
    pingInterval: 20_000,
    maxPingOut: 2,
    noAsyncTraces: true,
    ignoreClusterUpdates: true,
  }).finally(stopWaiting)
  openMailbox(nc, inboxPrefix(options.service))
  const watch = async () => {
    for await (const status of nc.status()) {
      if (status.type === 'disconnect' || status.type === 'reconnect') setDisconnected(nc, status.type === 'disconnect')
      // A NATS server with the permissions of an earlier release refuses requests to a single responder. Requests are
      // then sent to the queue group only.
      if (status.type === 'error' && isDirected(status.error)) stopDirecting(nc)
      const detail = 'server' in status ? String(status.server) : 'error' in status ? String(status.error) : ''
      options.onStatus?.(status.type, detail)
    }
  }
  watch().catch(() => {})
  return nc
}
