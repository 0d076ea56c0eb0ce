/** Validates URLs of other servers and users before a request. */

import { isIP } from 'node:net'
import type { AddressGuard } from './address.js'
import { OutboundError } from './errors.js'

/** Settings of `guardUrl`. */
export type UrlPolicy = {
  readonly allowed: AddressGuard
  readonly allowHttp: boolean
  readonly ports: ReadonlySet<number> | 'any'
  /** True checks names such as `localhost` by their addresses instead of refusing them. */
  readonly allowLocalNames: boolean
}

const longest = 2048
const label = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?'
const dnsName = new RegExp(`^(?:${label}\\.)*${label}$`)
const unsafeCharacter = /[\u0000-\u0020\u007f-\u00a0\\\u1680\u2000-\u200f\u2028-\u202f\u205f-\u206f\u3000\ufeff]/
const ascii = /^[\u0021-\u007e]*$/
const otherDots = /[\u3002\uff0e\uff61]/

/** Suffixes that never belong to a public host (RFC 6761, 6762, 7686, 8375, 9476 and common private names). */
const localSuffix =
  /(?:^|\.)(?:localhost|localdomain|local|internal|intranet|private|corp|home|lan|svc|arpa|onion|i2p|alt|invalid)$/

/** Ports of services that may misinterpret an HTTP request as commands. */
const servicePorts: ReadonlySet<number> = new Set([
  1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 79, 87, 95, 101, 102, 103, 104, 109, 110, 111,
  113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514, 515, 526, 530, 531, 532, 540,
  548, 554, 556, 563, 587, 601, 636, 989, 990, 993, 995, 1719, 1720, 1723, 2049, 2375, 2379, 2380, 3306, 3659, 4045,
  4190, 4222, 5060, 5061, 5432, 6000, 6379, 6432, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 9200, 10080, 10250,
  11211, 27017,
])

/**
 * Parses and checks a URL before its name is resolved. The same object is used to connect,
 * so check and client cannot parse the text differently. The fragment is removed. Throws `OutboundError`
 * (`bad_url`, `forbidden_address`).
 */
export function guardUrl(raw: string | URL, policy: UrlPolicy): URL {
  const text = typeof raw === 'string' ? raw : raw.href
  const url = parse(text)
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && policy.allowHttp)) {
    throw new OutboundError('bad_url', policy.allowHttp ? 'only http and https URLs' : 'only https URLs')
  }
  guardPort(url, policy)
  guardHost(url.hostname, policy)
  if (text.includes('#')) url.hash = ''
  return url
}

function parse(text: string): URL {
  if (text.length > longest) throw new OutboundError('bad_url', `a URL has at most ${longest} characters`)
  if (unsafeCharacter.test(text)) throw new OutboundError('bad_url', 'a URL has no spaces, controls or backslashes')
  const authority = /^https?:\/\/([^/?#]*)/i.exec(text)?.[1]
  if (!authority) throw new OutboundError('bad_url', 'not an absolute http(s) URL')
  if (authority.includes('@')) throw new OutboundError('bad_url', 'a URL names no user')
  // The URL parser would fold look-alike letters and dots to ASCII, so URLs with such characters are refused.
  if (
    !ascii.test(authority) &&
    (authority.normalize('NFKC') !== authority.normalize('NFC') || otherDots.test(authority))
  ) {
    throw new OutboundError('bad_url', 'a host has no full-width or other folded characters')
  }
  const url = URL.parse(text)
  if (!url) throw new OutboundError('bad_url', 'not a URL')
  return url
}

function guardPort(url: URL, policy: UrlPolicy): void {
  const port = Number(url.port || (url.protocol === 'https:' ? 443 : 80))
  const fine = policy.ports === 'any' ? !servicePorts.has(port) : policy.ports.has(port)
  if (!fine) throw new OutboundError('forbidden_address', `port ${port} may not be reached`)
}

function guardHost(host: string, policy: UrlPolicy): void {
  const literal = host.startsWith('[') ? host.slice(1, -1) : host
  if (isIP(literal)) {
    if (!policy.allowed(literal)) throw new OutboundError('forbidden_address', 'the address is not public')
    return
  }
  const name = host.endsWith('.') ? host.slice(0, -1) : host
  if (!policy.allowLocalNames && (!name.includes('.') || localSuffix.test(name))) {
    throw new OutboundError('forbidden_address', 'the name belongs to a private network')
  }
  if (host.endsWith('.') || host.length > 253 || !dnsName.test(host)) {
    throw new OutboundError('bad_url', 'the host is not a DNS name')
  }
}
