/** Checks the options of the client once, so that a wrong setting stops the start and not the thousandth request. */

import { readFileSync } from 'node:fs'
import { createSecureContext, getCACertificates, type SecureContext } from 'node:tls'
import { addressGuard } from './address.js'
import type { NameOptions } from './names.js'
import type { Refusal } from './refusal.js'
import type { UrlPolicy } from './url.js'

/** Options of the outbound client: addresses, ports and limits. */
export type OutboundOptions = {
  /** Sent with every request that does not name its own. */
  userAgent: string
  mode: 'production' | 'development' | 'test'
  /** Hears of every address that the guard refused, at each step of the way; must not throw. Bounding is its business. */
  onRefused: (refusal: Refusal) => void
  /** Lets the addresses of `allowAddresses` through although they are private; refused in production. */
  allowPrivate?: boolean
  /** Address blocks (CIDR) of a test network. */
  allowAddresses?: string[]
  /**
   * Address blocks (CIDR) that the operator named for a peer of their own choice, such as their identity provider. Let
   * through everywhere, so that a client with them must never be given an address that somebody else wrote.
   */
  operatorAddresses?: string[]
  /** PEM file of certificate authorities to trust besides the system's. */
  extraCaFile?: string
  /** Also plain http; https only by default. */
  allowHttp?: boolean
  /** Connections to one origin, 1 to 64; default 4. */
  maxConnectionsPerHost?: number
  /** Requests in flight at once in this process, 1 to 10,000; default 512. More wait for their turn. */
  maxInFlight?: number
  /** Ports that may be reached. Production: 80 and 443. Otherwise any but those of well-known other services. */
  ports?: number[] | 'any'
  /** Milliseconds; only the memory of names uses it. */
  clock?: { now(): number }
  /** Other sources of names than the system's. */
  dns?: NameOptions
}

/** The options, checked and made usable. */
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

/** Reads the options; throws a plain Error that names the option at fault. */
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
    secureContext: createSecureContext({ minVersion: 'TLSv1.2', ca: readAuthorities(options.extraCaFile) }),
    maxConnectionsPerHost: count(options.maxConnectionsPerHost ?? 4, 64, 'maxConnectionsPerHost'),
    maxInFlight: count(options.maxInFlight ?? 512, 10_000, 'maxInFlight'),
    now: () => options.clock?.now() ?? Date.now(),
    dns: options.dns ?? {},
  }
}

function readPorts(ports: number[] | 'any'): ReadonlySet<number> | 'any' {
  return ports === 'any' ? ports : new Set(ports.map((port) => count(port, 65_535, 'ports')))
}

function count(value: number, most: number, name: string): number {
  if (!Number.isInteger(value) || value < 1 || value > most) {
    throw new Error(`outbound: ${name} must be a whole number from 1 to ${most}`)
  }
  return value
}

function readAuthorities(file: string | undefined): string[] | undefined {
  if (!file) return undefined
  const pem = readFileSync(file, 'utf8')
  if (!pem.includes('-----BEGIN CERTIFICATE-----'))
    throw new Error(`outbound: extraCaFile holds no certificate: ${file}`)
  return [...getCACertificates('default'), pem]
}
