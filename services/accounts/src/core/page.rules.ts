/** Reads handles and actor ids from addresses of profile pages and actors. */
import { normaliseDomain } from '@murmuration/text'
import { plainPath } from '@murmuration/text/plain-path'
import { type HandleKey, handleKeyOf } from './handle.rules.js'

const PAGE = /^\/(?:@|users\/)?([\w.-]{1,64})\/?$/
/** Web clients for accounts of all servers add the domain: `/@name@domain`. */
const LOCAL_PAGE = /^\/(?:(?:web\/)?@|users\/)([\w.-]{1,64})(?:@([^/@]{1,255}))?\/?$/

/** Whether the URL is the id of an activity of a local account: the actor id with a fragment such as `#follows/5`. */
const isActivityId = ({ hash }: URL): boolean => hash.includes('/')

/** True for no host, and for the domains of this server. */
const isOwnDomain = (host: string | undefined, site: { localDomain: string; webDomain: string }): boolean =>
  host === undefined || handleKeyOf(`name@${host}`, site)?.domain === null

/**
 * The handle that a profile page seems to belong to; null if none. The handle of a local page is certain. For a remote
 * page, `ownerOfPage` compares the page with the `url` of the account.
 */
export const handleOfPage = (
  address: string,
  site: { origin: string; localDomain: string; webDomain: string },
): HandleKey | null => {
  const url = URL.parse(address)
  if (url === null || !/^https?:$/.test(url.protocol)) return null
  const isOurs = url.origin === site.origin
  if (isOurs && isActivityId(url)) return null
  const path = plainPath(url.pathname)
  const [, name, host] = (isOurs ? LOCAL_PAGE : PAGE).exec(path) ?? []
  const username = name?.toLowerCase()
  if (username === undefined) return null
  if (isOurs) return isOwnDomain(host, site) ? { username, domain: null } : null
  // Without this check, a host that is no valid domain would give null, which means this server.
  const domain = normaliseDomain(url.hostname)
  if (!domain) return null
  return { username, domain: url.port === '' ? domain : `${domain}:${url.port}` }
}

/** Maximum number of accounts that are compared if several state one page. Any server may let its accounts state any of its pages. */
export const MAX_STATING = 20

/** True for the page `/@name` of another account on the domain of this account. */
const isPageOfOther = (account: { username: string; domain: string | null }, page: string, handle: HandleKey | null) =>
  handle !== null &&
  /^\/@/.test(plainPath(URL.parse(page)?.pathname ?? '')) &&
  account.domain === handle.domain &&
  account.username.toLowerCase() !== handle.username

/**
 * The account of these to which a remote page belongs; null if none states it. The path of the page may have any form, and
 * its host may differ from the domain of the handle. If several accounts state a page, the handle in it decides.
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

/** True if an address names the account: its id, or its page. Other addresses of local accounts count too. */
export const isAddressOf = (
  address: string,
  account: { uri: string; url: string | null; username: string; domain: string | null },
  site: { origin: string; localDomain: string; webDomain: string },
): boolean => {
  if (address === account.uri || address === account.url) return true
  if (account.domain !== null) return false
  const page = handleOfPage(address, site)
  const isPage = page !== null && page.domain === null && page.username === account.username.toLowerCase()
  return isPage || actorOfAddress(address, site) === account.uri
}

const ACTOR = /^\/ap\/users\/\d{1,19}$/

/** The local actor id in an address with a trailing slash, query or fragment; null for other addresses. */
export const actorOfAddress = (address: string, site: { origin: string }): string | null => {
  const url = URL.parse(address)
  if (url && isActivityId(url)) return null
  const path = plainPath(url?.pathname ?? '').replace(/\/$/, '')
  return url?.origin === site.origin && ACTOR.test(path) ? `${site.origin}${path}` : null
}
