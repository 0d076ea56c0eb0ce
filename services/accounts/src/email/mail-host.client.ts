/** Looks up the mail hosts of a domain in DNS. */
import { Resolver } from 'node:dns/promises'

export interface MailHosts {
  /**
   * Returns the hosts that accept mail for the domain: the domain itself if it has no MX record, [] if it accepts no
   * mail, null if DNS failed.
   */
  of(domain: string): Promise<string[] | null>
}

const TIMEOUT_MS = 1_500
const MAX_HOSTS = 20
const isAbsent = (error: unknown): boolean =>
  ['ENOTFOUND', 'ENODATA'].includes(String((error as { code?: unknown }).code))

export const createMailHosts = (servers?: readonly string[]): MailHosts => {
  const resolver = new Resolver({ timeout: TIMEOUT_MS, tries: 1 })
  if (servers) resolver.setServers(servers)
  /** A domain without MX record receives mail itself if it has an address (RFC 5321 section 5.1). */
  const itself = async (domain: string): Promise<string[] | null> => {
    const results = await Promise.allSettled([resolver.resolve4(domain), resolver.resolve6(domain)])
    if (results.some((one) => one.status === 'fulfilled' && one.value.length > 0)) return [domain]
    return results.every((one) => one.status === 'rejected' && isAbsent(one.reason)) ? [] : null
  }
  return {
    async of(domain) {
      try {
        const found = await resolver.resolveMx(domain)
        // A single dot means that the domain accepts no mail (RFC 7505).
        const hosts = found.map((one) => one.exchange.toLowerCase().replace(/\.$/, '')).filter(Boolean)
        return found.length === 0 ? itself(domain) : hosts.slice(0, MAX_HOSTS)
      } catch (error) {
        return isAbsent(error) ? itself(domain) : null
      }
    },
  }
}
