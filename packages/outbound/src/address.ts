/** Decides whether an IP address may be contacted: public addresses only. */

import ipaddr from 'ipaddr.js'

type Cidr = [ipaddr.IPv4 | ipaddr.IPv6, number]

/** IANA special-purpose IPv4 blocks, multicast and class E. All other IPv4 addresses are public. */
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

/** Global unicast. All other IPv6 addresses are refused: loopback, ULA, link-local, NAT64, multicast. */
const globalV6 = cidrs(['2000::/3'])

/** Special blocks within global unicast: Teredo and other protocol assignments, documentation, 6to4, AS112. */
const forbiddenV6 = cidrs(['2001::/23', '2001:db8::/32', '2002::/16', '2620:4f:8000::/48', '3fff::/20'])

/**
 * True when the address (textual IPv4 or IPv6, no brackets, no zone) is reachable on the public internet.
 * IPv4-mapped IPv6 (`::ffff:a.b.c.d`) is checked as IPv4. Invalid text is not public.
 * Source: IANA special-purpose address registries (RFC 6890, RFC 8190).
 */
export function isPublicAddress(address: string): boolean {
  const parsed = parseAddress(address)
  return parsed !== null && isPublic(parsed)
}

/** True when a textual address may be contacted. */
export type AddressGuard = (address: string) => boolean

/**
 * Returns a guard that accepts public addresses, and addresses inside `allow` (CIDRs, such as a test network). Throws
 * an Error with the invalid CIDR.
 */
export function addressGuard(allow: readonly string[] = []): AddressGuard {
  const allowed = cidrs(allow)
  return (address) => {
    const parsed = parseAddress(address)
    return parsed !== null && (isPublic(parsed) || within(parsed, allowed))
  }
}

/**
 * NAT64 prefixes: the well-known prefix of RFC 6052, and the prefix for local use of RFC 8215. Their addresses are
 * translated IPv4 addresses.
 */
const translationPrefixes = cidrs(['64:ff9b::/96', '64:ff9b:1::/48'])

/** Positions of the four bytes of an IPv4 address in an IPv6 address, for each prefix length of RFC 6052 section 2.2. */
const embeddings = [
  [4, 5, 6, 7],
  [5, 6, 7, 9],
  [6, 7, 9, 10],
  [7, 9, 10, 11],
  [9, 10, 11, 12],
  [12, 13, 14, 15],
]

/**
 * True when a DNS64 server derived this IPv6 address from IPv4 (NAT64, RFC 6052). Such an address has a translation prefix,
 * or it embeds one of the addresses `four`, as with prefixes of a local network.
 */
export function isTranslated(address: string, four: readonly string[]): boolean {
  const parsed = parseAddress(address)
  if (parsed === null || parsed.kind() === 'ipv4') return false
  if (within(parsed, translationPrefixes)) return true
  const bytes = parsed.toByteArray()
  return embeddings.some((places) => four.includes(places.map((place) => bytes[place]).join('.')))
}

function isPublic(address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  if (address.kind() === 'ipv4') return !within(address, forbiddenV4)
  return within(address, globalV6) && !within(address, forbiddenV6)
}

/** Parses an IP address. Octal and shortened forms are refused. */
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
