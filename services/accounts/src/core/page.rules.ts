/** Pages of profiles: the handle that the address of one names. */
import { normaliseDomain } from '@murmuration/text'
import type { HandleKey } from './handle.rules.js'

const PAGE = /^\/(?:@|users\/)?([\w.-]{1,64})\/?$/
const LOCAL_PAGE = /^\/(?:(?:web\/)?@|users\/)([\w.-]{1,64})\/?$/

/** True for ids of activities of an account here: the account's id with a fragment such as `#follows/5`. */
const isActivityId = ({ hash }: URL): boolean => hash.includes('/')

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
  if (isOurs && isActivityId(url)) return null
  const path = url.pathname.replace(/%40/gi, '@')
  const username = (isOurs ? LOCAL_PAGE : PAGE).exec(path)?.[1]?.toLowerCase()
  if (username === undefined) return null
  if (isOurs) return { username, domain: null }
  // A host that is no domain must not be taken for this server, whose domain is null.
  const domain = normaliseDomain(url.hostname)
  if (!domain) return null
  return { username, domain: url.port === '' ? domain : `${domain}:${url.port}` }
}

const ACTOR = /^\/ap\/users\/\d{1,19}$/

/** The actor id of this server that an address means which has further signs around it, such as a fragment; null for others. */
export const actorOfAddress = (address: string, site: { origin: string }): string | null => {
  const url = URL.parse(address)
  if (url && isActivityId(url)) return null
  const path = url?.pathname.replace(/\/$/, '') ?? ''
  return url?.origin === site.origin && ACTOR.test(path) ? `${site.origin}${path}` : null
}
