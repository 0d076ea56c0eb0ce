/** Addresses of this server, below its origin and its other hosts, and addresses that are looked up on other servers. */

/** The origin of this server, and all its hosts, as `URL` writes them. */
export interface OwnAddresses {
  readonly site: { readonly origin: string }
  readonly ownHosts: ReadonlySet<string>
}

/** Hosts of this server, as `URL` writes them, from its domains. */
export const hostsOf = (domains: readonly string[]): ReadonlySet<string> =>
  new Set(domains.flatMap((domain) => URL.parse(`https://${domain}`)?.host ?? []))

/**
 * An address on any host of this server, by http or https, with the origin of this server. Other addresses are returned
 * unchanged.
 */
export const canonicalAddress = ({ site, ownHosts }: OwnAddresses, address: string): string => {
  const url = URL.parse(address)
  if (url === null || url.origin === site.origin || !/^https?:$/.test(url.protocol)) return address
  return ownHosts.has(url.host) ? `${site.origin}${url.pathname}${url.search}${url.hash}` : address
}

/** An address with http as an address with https. Other addresses are returned unchanged. */
export const withHttps = (address: string): string =>
  address.replace(/^http:\/\/([^/?#]*?)(?::80)?(?=[/?#]|$)/i, 'https://$1')

/** `allowsHttp`: whether other servers may be reached without TLS, as in test networks. */
export interface LookUpRules extends OwnAddresses {
  readonly allowsHttp: boolean
}

/**
 * The address at which an object is looked up: `canonicalAddress`, and https for other servers. An address with http
 * is returned unchanged if http is allowed.
 */
export const lookUpAddress = (rules: LookUpRules, address: string): string => {
  const canonical = canonicalAddress(rules, address)
  return rules.allowsHttp || URL.parse(canonical)?.origin === rules.site.origin ? canonical : withHttps(canonical)
}
