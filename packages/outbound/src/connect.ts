/** Opens sockets for undici: resolves the name, checks addresses, connects, checks the peer's address, then starts TLS or HTTP. */

import { connect as connectTcp, isIP, isIPv4, type Socket } from 'node:net'
import { connect as connectTls, type SecureContext } from 'node:tls'
import type { buildConnector } from 'undici'
import { type AddressGuard, isTranslated } from './address.js'
import { OutboundError } from './errors.js'
import type { Names } from './names.js'

/** Address guard, name resolution and TLS context of the connector. */
export type ConnectOptions = { allowed: AddressGuard; names: Names; secureContext: SecureContext }

const stageMs = 5_000
const attemptMs = 1_000

/**
 * Connector that reaches only addresses accepted by the guard. A name with one refused address is refused as a whole.
 * The connection uses only checked addresses, and the peer's address is checked again before a byte is sent. No TLS
 * session is resumed, because a resumed session skips the check of the name in the certificate. If the name resolves to
 * a refused address, the request is retryable, because the name may get another address. A refused address in the URL
 * is not retryable.
 */
export function guardedConnector(options: ConnectOptions): buildConnector.connector {
  return (target, callback) => {
    open(options, target).then(
      (socket) => callback(null, socket),
      (error) => callback(error, null),
    )
  }
}

async function open(options: ConnectOptions, target: buildConnector.Options): Promise<Socket> {
  const host = target.hostname
  const retryable = isIP(host) === 0
  const addresses = retryable ? withoutTranslations(await options.names(host), options.allowed) : [host]
  if (!addresses.every(options.allowed)) {
    throw new OutboundError('forbidden_address', 'an address is not public', { retryable })
  }
  const secure = target.protocol === 'https:'
  const socket = await openTcp(host, Number(target.port) || (secure ? 443 : 80), worthTrying(addresses))
  if (!options.allowed(socket.remoteAddress ?? '')) {
    socket.destroy()
    throw new OutboundError('forbidden_address', 'the peer has an address that is not public', { retryable })
  }
  return secure ? openTls(socket, host, options.secureContext) : socket
}

/**
 * Leaves out refused addresses that a local DNS64 server derived from IPv4 addresses. Such a name also has a public
 * IPv4 address, which is used instead.
 */
function withoutTranslations(addresses: readonly string[], allowed: AddressGuard): readonly string[] {
  const four = addresses.filter((address) => isIPv4(address) && allowed(address))
  if (four.length === 0) return addresses
  return addresses.filter((address) => allowed(address) || !isTranslated(address, four))
}

/**
 * At most two addresses of each family, alternating. IPv4 is first, because many hosts have IPv6 records without a working
 * route, and each failed attempt costs a second.
 */
function worthTrying(addresses: readonly string[]): string[] {
  const four = addresses.filter((address) => isIPv4(address))
  const six = addresses.filter((address) => !isIPv4(address))
  return [four[0], six[0], four[1], six[1]].filter((address) => address !== undefined)
}

function openTcp(host: string, port: number, addresses: readonly string[]): Promise<Socket> {
  const socket = connectTcp({
    host,
    port,
    noDelay: true,
    keepAlive: true,
    keepAliveInitialDelay: 60_000,
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: attemptMs,
    lookup: (_name, _options, done) => {
      const checked = addresses.map((address) => ({ address, family: isIP(address) }))
      done(null, checked)
    },
  })
  return waitForEvent(socket, 'connect', (cause) => new OutboundError('connect', 'no connection', { cause }))
}

function openTls(tcp: Socket, host: string, secureContext: SecureContext): Promise<Socket> {
  const socket = connectTls({
    socket: tcp,
    host,
    servername: isIP(host) ? undefined : host,
    secureContext,
    ALPNProtocols: ['http/1.1'],
    // The option is set explicitly, so that NODE_TLS_REJECT_UNAUTHORIZED has no effect.
    rejectUnauthorized: true,
  })
  tcp.on('error', (error) => socket.destroy(error))
  return waitForEvent(
    socket,
    'secureConnect',
    (cause) => new OutboundError('tls', 'no trustworthy TLS session', { cause }),
  )
}

function waitForEvent<S extends Socket>(
  socket: S,
  event: string,
  failure: (cause: unknown) => OutboundError,
): Promise<S> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => socket.destroy(new Error('no response within 5 s')), stageMs)
    const stop = (cause: unknown) => {
      clearTimeout(timer)
      reject(failure(cause))
    }
    socket.once('close', stop)
    socket.on('error', stop)
    socket.once(event, () => {
      clearTimeout(timer)
      socket.off('close', stop)
      resolve(socket)
    })
  })
}
