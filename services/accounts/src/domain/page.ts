/** Pages of profiles: the handle that the address of one names. */
import { normaliseDomain } from '@murmuration/text'
import type { HandleKey } from './handle.js'

const PAGE = /^\/(?:@|users\/)?([\w.-]{1,64})\/?$/
const LOCAL_PAGE = /^\/(?:@|users\/)([\w.-]{1,64})\/?$/

/**
 * The handle that a page may be of. For an address of this server it is certain; the page of an account elsewhere must
 * also be the `url` that its own document names.
 */
export const handleOfPage = (
  address: string,
  site: { origin: string; localDomain: string; webDomain: string },
): HandleKey | null => {
  const url = URL.parse(address)
  if (url === null || !/^https?:$/.test(url.protocol)) return null
  const isOurs = url.origin === site.origin
  const username = (isOurs ? LOCAL_PAGE : PAGE).exec(url.pathname)?.[1]?.toLowerCase()
  if (username === undefined) return null
  if (isOurs) return { username, domain: null }
  // A host that is no domain must not be taken for this server, whose domain is null.
  const domain = normaliseDomain(url.hostname)
  if (!domain) return null
  return { username, domain: url.port === '' ? domain : `${domain}:${url.port}` }
}
