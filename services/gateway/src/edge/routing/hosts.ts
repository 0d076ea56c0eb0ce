/** Host names of this server. Requests for other names are refused (D032). */
import type { IncomingMessage } from 'node:http'
import type { Site } from '@murmuration/kernel'
import { hostOf, nameOf } from './address.js'

/** Loopback names, for tools on the same machine. */
const LOOPBACK = ['localhost', '127.0.0.1', '[::1]']

/** Returns a function that is true for requests to one of this server's host names. `more`: ALTERNATE_DOMAINS, separated by commas. */
export const createHostTest = (
  site: Pick<Site, 'localDomain' | 'webDomain'>,
  more: string,
  trustedProxies: number,
): ((req: IncomingMessage) => boolean) => {
  const ours = new Set(
    [site.localDomain, site.webDomain, ...more.split(','), ...LOOPBACK].map((one) => nameOf(one.trim())),
  )
  ours.delete('')
  // The last Host header that was accepted. Because nearly all requests have the same header, the check is skipped for it.
  let passed = ''
  return (req) => {
    const given = trustedProxies === 0 ? (req.headers.host ?? '') : ''
    if (given !== '' && given === passed) return true
    if (!ours.has(hostOf(req, trustedProxies))) return false
    passed = given
    return true
  }
}
