/** Reads handles and actor ids from addresses of profile pages and actors. */
import type { Site } from '@murmuration/kernel'
import { normaliseDomain } from '@murmuration/text'
import { canonicalAddress, type OwnAddresses } from '@murmuration/text/own-address'
import { plainPath } from '@murmuration/text/plain-path'
import { profilePath } from '@murmuration/text/profile-part'
import { type HandleKey, handleKeyOf } from './handle.rules.js'

const PAGE = /^\/(?:@|users\/)?([\w.-]{1,64})\/?$/
/** Path of a local profile page. Some web clients add the domain to the name: `/@name@domain`. */
const LOCAL_PAGE = /^\/(?:(?:web\/)?@|users\/)([\w.-]{1,64})(?:@([^/@]{1,255}))?\/?$/

/** Names of this server: its origin, all its hosts, and the domains of its handles. */
export interface OwnNames extends OwnAddresses {
  readonly site: OwnAddresses['site'] & Pick<Site, 'handleDomains'>
}

/** Whether the URL is the id of an activity of a local account: the actor id with a fragment such as `#follows/5`. */
const isActivityId = ({ hash }: URL): boolean => hash.includes('/')

/** True if no domain is given, and for the domains of this server. */
const isOwnDomain = (host: string | undefined, site: Pick<Site, 'handleDomains'>): boolean =>
  host === undefined || handleKeyOf(`name@${host}`, site)?.domain === null

/**
 * Returns the handle in the address of a profile page; null if the address contains none. For a local page, the handle
 * is certain. A remote page counts only after `ownerOfPage` compared the address with the `url` of the account.
 */
export const handleOfPage = (address: string, own: OwnNames): HandleKey | null => {
  const url = URL.parse(canonicalAddress(own, address))
  if (url === null || !/^https?:$/.test(url.protocol)) return null
  const isOurs = url.origin === own.site.origin
  if (isOurs && isActivityId(url)) return null
  const path = plainPath(url.pathname)
  const [, name, host] = (isOurs ? LOCAL_PAGE.exec(profilePath(path)) : PAGE.exec(path)) ?? []
  const username = name?.toLowerCase()
  if (username === undefined) return null
  if (isOurs) return isOwnDomain(host, own.site) ? { username, domain: null } : null
  // Without this check, an invalid domain would give null, and null means a local account.
  const domain = normaliseDomain(url.hostname)
  if (!domain) return null
  return { username, domain: url.port === '' ? domain : `${domain}:${url.port}` }
}

/**
 * Maximum number of accounts that are compared if several state the same profile page. A server can let any number of
 * its accounts state one page.
 */
export const MAX_STATING = 20

/** Whether the page has the form `/@name` on the domain of `account`, with another name than that of `account`. */
const isPageOfOther = (account: { username: string; domain: string | null }, page: string, handle: HandleKey | null) =>
  handle !== null &&
  /^\/@/.test(plainPath(URL.parse(page)?.pathname ?? '')) &&
  account.domain === handle.domain &&
  account.username.toLowerCase() !== handle.username

/**
 * Returns the account to which a remote profile page belongs; null if no account states the page. The path may have any
 * form, and its host may differ from the domain of the handle. If several accounts state the page, the handle in its
 * address decides.
 */
export const ownerOfPage = <T extends { url: string | null; username: string; domain: string | null }>(
  accounts: readonly T[],
  page: string,
  handle: HandleKey | null,
): T | null => {
  const stating = accounts.filter((it) => it.domain !== null && it.url === page)
  const named = stating.filter((it) => it.username.toLowerCase() === handle?.username && it.domain === handle.domain)
  const [only, ...others] = stating.length === 1 ? stating : named
  return only !== undefined && others.length === 0 && !isPageOfOther(only, page, handle) ? only : null
}

/**
 * Whether an address means this account: its actor id or its profile page. For a local account, other forms of both
 * addresses count too.
 */
export const isAddressOf = (
  address: string,
  account: { uri: string; url: string | null; username: string; domain: string | null },
  own: OwnNames,
): boolean => {
  if (address === account.uri || address === account.url) return true
  if (account.domain !== null) return false
  const page = handleOfPage(address, own)
  const isPage = page !== null && page.domain === null && page.username === account.username.toLowerCase()
  return isPage || actorOfAddress(address, own) === account.uri
}

const ACTOR = /^\/ap\/users\/\d{1,19}$/

/**
 * The local actor id in an address with a trailing slash, query or fragment, or on another host of this server; null for
 * other addresses.
 */
export const actorOfAddress = (address: string, own: OwnAddresses): string | null => {
  const { origin } = own.site
  const url = URL.parse(canonicalAddress(own, address))
  if (url && isActivityId(url)) return null
  const path = plainPath(url?.pathname ?? '').replace(/\/$/, '')
  return url?.origin === origin && ACTOR.test(path) ? `${origin}${path}` : null
}
