/** Addresses of local statuses: what they are called in the network, and the pages where they are read. */
import { isId } from '@murmuration/contracts/kit'

/** The id that stands in a path; null where none does, or a number that is too large for one. */
const idIn = (pattern: RegExp, path: string): string | null => {
  const id = pattern.exec(path)?.[1]
  return id !== undefined && isId(id) ? id : null
}

/** `https://host/ap/users/1/statuses/2`: the id of the author's actor, then the status. */
export const statusUri = (authorUri: string, id: string): string => `${authorUri}/statuses/${id}`

/** The activity that announces a local boost; it names the boost itself too. */
export const reblogUri = (authorUri: string, id: string): string => `${statusUri(authorUri, id)}/activity`

/** The approval of a quote, below the actor whose status, `statusUri`, is quoted. */
export const quoteAuthorizationUri = (quotedUri: string, id: string): string =>
  `${quotedUri.replace(/\/statuses\/\d+$/, '')}/quote_authorizations/${id}`

const STAMP = /\/(?:ap\/users\/\d{1,19}|users\/[\w.-]{1,64})\/quote_authorizations\/(\d{1,19})$/

/** The number in the address of an approval of ours; null when it is none. */
export const localQuoteAuthorizationId = (origin: string, address: string): string | null =>
  address.startsWith(`${origin}/`) ? idIn(STAMP, address.slice(origin.length)) : null

const CONTEXT = /^\/ap\/contexts\/(\d{1,19})$/

/** The status with which a conversation of ours began, by the address of its collection; null when it is none. */
export const localContextId = (origin: string, address: string): string | null =>
  address.startsWith(`${origin}/`) ? idIn(CONTEXT, address.slice(origin.length)) : null

/** `https://host/@name/2`. */
export const statusUrl = (authorUrl: string, id: string): string => `${authorUrl}/${id}`

/** The page of a tag. */
export const tagUrl = (origin: string, name: string): string => `${origin}/tags/${encodeURIComponent(name)}`

/** Page address of an author's statuses with a tag that they feature. */
export const featuredTagUrl = (origin: string, acct: string, name: string): string =>
  `${origin}/@${acct}/tagged/${encodeURIComponent(name)}`

/** Returns the path of an address of this server, with a plain `@`; null for others. Scheme and host may have capitals. */
const localPath = (origin: string, address: string): string | null => {
  const url = URL.parse(address)
  return url?.origin === origin ? url.pathname.replace(/%40/gi, '@') : null
}

const LOCAL_PATH =
  /^\/(?:ap\/users\/\d{1,19}\/statuses|users\/[\w.-]{1,64}\/statuses|(?:web\/)?@[\w.-]{1,64}|web\/statuses)\/(\d{1,19})(?:\/activity|\/embed)?\/?$/

/** The id in a local status's uri or page address, whatever its age; null when it is none of ours. */
export const localStatusId = (origin: string, address: string): string | null => {
  const path = localPath(origin, address)
  return path === null ? null : idIn(LOCAL_PATH, path)
}

const LOCAL_PROFILE = /^\/(?:(?:web\/)?@|users\/)([\w.-]{1,64})\/?$/

/** The name of the local account whose page or old actor id an address is; null when it is none of ours. */
export const localAccountName = (origin: string, address: string): string | null =>
  LOCAL_PROFILE.exec(localPath(origin, address) ?? '')?.[1] ?? null

const COLLECTION = /\/collections\/(\d{1,19})$/

/** The collection of this server that an address denotes, by its page or by the id that other servers know; null for none. */
export const collectionAt = (origin: string, url: string): string | null => {
  const at = URL.parse(url)
  return at?.origin === origin ? idIn(COLLECTION, at.pathname) : null
}

/** More collections of one status are not looked up. */
const MOST_LINKED = 10

/** Collections of this server that a text links to, in their order; the text may be HTML, or JSON that holds HTML. */
export const linkedCollections = (origin: string, text: string): string[] => {
  // Most texts link to none, and every status that is shown is looked at.
  if (!text.includes('/collections/')) return []
  const links = [...text.matchAll(/href=\\?"([^"\\]{1,500})/g)].flatMap(
    ([, url]) => collectionAt(origin, url ?? '') ?? [],
  )
  return [...new Set(links)].slice(0, MOST_LINKED)
}
