/** Decides whether an IP address may be connected to: public addresses only, by allow-list thinking. */

import ipaddr from 'ipaddr.js'

type Cidr = [ipaddr.IPv4 | ipaddr.IPv6, number]

/** IANA special-purpose IPv4 blocks, multicast and class E; everything else is public. */
const forbiddenV4 = cidrs([
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.31.196.0/24',
  '192.52.193.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '192.175.48.0/24',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
])

/** IPv6 is refused unless it is global unicast; loopback, ULA, link-local, NAT64, multicast all lie outside. */
const globalV6 = cidrs(['2000::/3'])

/** Holes in global unicast: Teredo and other protocol assignments, documentation, 6to4, AS112. */
const forbiddenV6 = cidrs(['2001::/23', '2001:db8::/32', '2002::/16', '2620:4f:8000::/48', '3fff::/20'])

/**
 * True when the address (textual IPv4 or IPv6, no brackets, no zone) is reachable on the public internet.
 * IPv4 inside IPv6 (`::ffff:a.b.c.d`) is judged as IPv4. Anything unreadable is not public.
 * Source: IANA special-purpose address registries (RFC 6890, RFC 8190).
 */
export function isPublicAddress(address: string): boolean {
  const parsed = parseAddress(address)
  return parsed !== null && isPublic(parsed)
}

/** Says of one textual address whether it may be connected to. */
export type AddressGuard = (address: string) => boolean

/**
 * A guard that accepts public addresses and those inside `allow` (CIDRs, such as a test network).
 * Throws a plain Error naming the entry when a CIDR cannot be read.
 */
export function addressGuard(allow: readonly string[] = []): AddressGuard {
  const allowed = cidrs(allow)
  return (address) => {
    const parsed = parseAddress(address)
    return parsed !== null && (isPublic(parsed) || within(parsed, allowed))
  }
}

function isPublic(address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  if (address.kind() === 'ipv4') return !within(address, forbiddenV4)
  return within(address, globalV6) && !within(address, forbiddenV6)
}

/** Strict forms only: what the socket layer or the URL parser prints, never octal or short spellings. */
function parseAddress(address: string): ipaddr.IPv4 | ipaddr.IPv6 | null {
  if (ipaddr.IPv4.isValidFourPartDecimal(address)) return ipaddr.IPv4.parse(address)
  if (!address.includes(':') || address.includes('%') || !ipaddr.IPv6.isValid(address)) return null
  const parsed = ipaddr.IPv6.parse(address)
  return parsed.isIPv4MappedAddress() ? parsed.toIPv4Address() : parsed
}

function within(address: ipaddr.IPv4 | ipaddr.IPv6, blocks: readonly Cidr[]): boolean {
  return blocks.some((block) => block[0].kind() === address.kind() && address.match(block as never))
}

function cidrs(texts: readonly string[]): Cidr[] {
  return texts.map((text) => {
    try {
      return ipaddr.parseCIDR(text) as Cidr
    } catch {
      throw new Error(`not an address block (CIDR): ${JSON.stringify(text)}`)
    }
  })
}
