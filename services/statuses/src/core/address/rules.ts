/**
 * Builds and parses addresses of this server: ActivityPub ids and pages of statuses, accounts, tags and collections.
 */
import { isId } from '@murmuration/contracts/kit'
import { plainPath } from '@murmuration/text/plain-path'
import { profilePath } from '@murmuration/text/profile-part'

/** The id that `pattern` captures in a path; null if there is none or the number is too large. */
const idIn = (pattern: RegExp, path: string): string | null => {
  const id = pattern.exec(path)?.[1]
  return id !== undefined && isId(id) ? id : null
}

/** ActivityPub id of a status: `https://host/ap/users/1/statuses/2`, below its author's actor. */
export const statusUri = (authorUri: string, id: string): string => `${authorUri}/statuses/${id}`

/** ActivityPub id of the Announce of a local boost; also the id of the boost itself. */
export const reblogUri = (authorUri: string, id: string): string => `${statusUri(authorUri, id)}/activity`

/** Address of a quote authorization (FEP-044f), below the actor of the quoted status. */
export const quoteAuthorizationUri = (quotedUri: string, id: string): string =>
  `${quotedUri.replace(/\/statuses\/\d+$/, '')}/quote_authorizations/${id}`

const QUOTE_AUTHORIZATION = /\/(?:ap\/users\/\d{1,19}|users\/[\w.-]{1,64})\/quote_authorizations\/(\d{1,19})$/

/** Id of a quote authorization of this server by its address; null for other addresses. */
export const localQuoteAuthorizationId = (origin: string, address: string): string | null =>
  address.startsWith(`${origin}/`) ? idIn(QUOTE_AUTHORIZATION, address.slice(origin.length)) : null

const CONTEXT = /^\/ap\/contexts\/(\d{1,19})$/

/** Id of the first status of a local conversation, by the address of its collection; null for other addresses. */
export const localContextId = (origin: string, address: string): string | null =>
  address.startsWith(`${origin}/`) ? idIn(CONTEXT, address.slice(origin.length)) : null

/** Page of a status: `https://host/@name/2`. */
export const statusUrl = (authorUrl: string, id: string): string => `${authorUrl}/${id}`

/** Address of the page of a hashtag. */
export const tagUrl = (origin: string, name: string): string => `${origin}/tags/${encodeURIComponent(name)}`

/** Page of an author's statuses with a featured hashtag. */
export const featuredTagUrl = (origin: string, acct: string, name: string): string =>
  `${origin}/@${acct}/tagged/${encodeURIComponent(name)}`

/**
 * Path of an address of this server, without needless encoding; null for other servers. Scheme and host are case-insensitive.
 */
const localPath = (origin: string, address: string): string | null => {
  const url = URL.parse(address)
  return url?.origin === origin ? plainPath(url.pathname) : null
}

const LOCAL_PATH =
  /^\/(?:ap\/users\/\d{1,19}\/statuses|users\/[\w.-]{1,64}\/statuses|(?:web\/)?@[\w.-]{1,64}(?:@[\w.:-]{1,255})?|web\/statuses)\/(\d{1,19})(?:\/activity|\/embed)?\/?$/

/** Id of a local status by its ActivityPub id or page, in all current and former forms; null for other addresses. */
export const localStatusId = (origin: string, address: string): string | null => {
  const path = localPath(origin, address)
  return path === null ? null : idIn(LOCAL_PATH, path)
}

const LOCAL_PROFILE = /^\/(?:(?:web\/)?@|users\/)([\w.-]{1,64})\/?$/

/** Username of a local account by its page, a page below it, or its former actor id; null for other addresses. */
export const localAccountName = (origin: string, address: string): string | null =>
  LOCAL_PROFILE.exec(profilePath(localPath(origin, address) ?? ''))?.[1] ?? null

const HANDLE_PAGE = /^\/(?:web\/)?@([\w.-]{1,64}@[\w.:-]{1,255})\/?$/

/** Handle in an address of this server that web clients use for accounts of all servers, `/@name@domain`; null for others. */
export const handleOfAddress = (origin: string, address: string): string | null =>
  HANDLE_PAGE.exec(profilePath(localPath(origin, address) ?? ''))?.[1] ?? null

const COLLECTION = /\/collections\/(\d{1,19})$/

/** Id of a local collection by its page or ActivityPub id; null for other addresses. */
export const collectionAt = (origin: string, url: string): string | null => {
  const at = URL.parse(url)
  return at?.origin === origin ? idIn(COLLECTION, at.pathname) : null
}

/** Maximum number of linked collections of one status. */
const MAX_LINKED = 10

/** Ids of the collections of accounts of this server that a text links to, in the order of the links. The text is HTML, or JSON that contains HTML. */
export const linkedCollections = (origin: string, text: string): string[] => {
  // Most texts contain no link to a collection, and this check runs for every rendered status.
  if (!text.includes('/collections/')) return []
  const links = [...text.matchAll(/href=\\?"([^"\\]{1,500})/g)].flatMap(
    ([, url]) => collectionAt(origin, url ?? '') ?? [],
  )
  return [...new Set(links)].slice(0, MAX_LINKED)
}
