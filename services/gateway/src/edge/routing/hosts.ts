/** Which host names are ours; a request for any other is refused, so that no answer ever carries a foreign name (D032). */
import type { IncomingMessage } from 'node:http'
import type { Site } from '@murmuration/kernel'
import { hostOf, nameOf } from './address.js'

/** Names that only lead to the machine itself, for tools that run beside the server. */
const LOOPBACK = ['localhost', '127.0.0.1', '[::1]']

/** Makes the test; `more` is the operator's comma-separated list of further names. */
export const createHostTest = (
  site: Pick<Site, 'localDomain' | 'webDomain'>,
  more: string,
  trustedProxies: number,
): ((req: IncomingMessage) => boolean) => {
  const ours = new Set(
    [site.localDomain, site.webDomain, ...more.split(','), ...LOOPBACK].map((one) => nameOf(one.trim())),
  )
  ours.delete('')
  // The last text that passed is nearly always the next one too.
  let passed = ''
  return (req) => {
    const given = trustedProxies === 0 ? (req.headers.host ?? '') : ''
    if (given !== '' && given === passed) return true
    if (!ours.has(hostOf(req, trustedProxies))) return false
    passed = given
    return true
  }
}
