/** Validates the options of the client at the start. */

import { readFileSync } from 'node:fs'
import { createSecureContext, getCACertificates, type SecureContext } from 'node:tls'
import { addressGuard } from './address.js'
import type { NameOptions } from './names.js'
import type { Refusal } from './refusal.js'
import type { UrlPolicy } from './url.js'

/** Options of the outbound client: addresses, ports and limits. */
export type OutboundOptions = {
  /** `User-Agent` of requests that set none. */
  userAgent: string
  mode: 'production' | 'development' | 'test'
  /** `onRefused` is called with every refused address at each step. `onRefused` must not throw, and must limit its own output. */
  onRefused: (refusal: Refusal) => void
  /** Allows the addresses of `allowAddresses` although they are private; refused in production. */
  allowPrivate?: boolean
  /** Address blocks (CIDR) of a test network. */
  allowAddresses?: string[]
  /**
   * Address blocks (CIDR) of peers that the operator configured, such as an identity provider. These addresses are
   * allowed in every mode, so a client with `operatorAddresses` must never get a URL from users or other servers.
   */
  operatorAddresses?: string[]
  /** True also allows http; by default only https is allowed. */
  allowHttp?: boolean
  /** Connections to one origin, 1 to 64; default 4. */
  maxConnectionsPerHost?: number
  /** Maximum requests in flight in this process, 1 to 10,000; default 512. Further requests are queued. */
  maxInFlight?: number
  /** Allowed ports. Production: 80 and 443. Otherwise: all ports except the ports of other well-known services. */
  ports?: number[] | 'any'
  /** Clock in milliseconds for the cache of resolved names. */
  clock?: { now(): number }
  /** Name servers and hosts file to use instead of the system's. */
  dns?: NameOptions
}

/** Validated options of the outbound client. */
export type Policy = {
  userAgent: string
  url: UrlPolicy
  onRefused: (refusal: Refusal) => void
  secureContext: SecureContext
  maxConnectionsPerHost: number
  maxInFlight: number
  now: () => number
  dns: NameOptions
}

/** Validates the options of the client. Throws an Error with the name of the invalid option. */
export function readPolicy(options: OutboundOptions): Policy {
  const { mode } = options
  if (!['production', 'development', 'test'].includes(mode)) {
    throw new Error(`outbound: mode must be production, development or test, not ${JSON.stringify(mode)}`)
  }
  if (!/^[\x20-\x7e]+$/.test(options.userAgent)) throw new Error('outbound: userAgent must be printable ASCII')
  const local = options.allowPrivate === true
  if (mode === 'production' && (local || options.allowAddresses?.length)) {
    throw new Error('outbound: allowPrivate and allowAddresses are refused in production')
  }
  const named = options.operatorAddresses ?? []
  if (options.allowAddresses?.length && !local) throw new Error('outbound: allowAddresses needs allowPrivate')
  return {
    userAgent: options.userAgent,
    url: {
      allowed: addressGuard([...(local ? (options.allowAddresses ?? []) : []), ...named]),
      allowHttp: options.allowHttp === true,
      allowLocalNames: local || named.length > 0,
      ports: readPorts(options.ports ?? (mode === 'production' ? [80, 443] : 'any')),
    },
    onRefused: options.onRefused,
    secureContext: createSecureContext({ minVersion: 'TLSv1.2' }),
    maxConnectionsPerHost: count(options.maxConnectionsPerHost ?? 4, 64, 'maxConnectionsPerHost'),
    maxInFlight: count(options.maxInFlight ?? 512, 10_000, 'maxInFlight'),
    now: () => options.clock?.now() ?? Date.now(),
    dns: options.dns ?? {},
  }
}

function readPorts(ports: number[] | 'any'): ReadonlySet<number> | 'any' {
  return ports === 'any' ? ports : new Set(ports.map((port) => count(port, 65_535, 'ports')))
}

function count(value: number, max: number, name: string): number {
  if (!Number.isInteger(value) || value < 1 || value > max) {
    throw new Error(`outbound: ${name} must be a whole number from 1 to ${max}`)
  }
  return value
}

/**
 * The public certificate authorities that Node.js contains, and the authorities of a PEM file. The `ca` option of TLS
 * replaces the authorities of Node.js, so both are needed.
 */
export function readAuthorities(file: string): string[] {
  const pem = readFileSync(file, 'utf8')
  if (!pem.includes('-----BEGIN CERTIFICATE-----')) throw new Error(`no file with certificates in PEM: ${file}`)
  return [...getCACertificates('default'), pem]
}
