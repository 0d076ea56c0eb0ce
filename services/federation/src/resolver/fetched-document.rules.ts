/** Decides whether the id of a fetched document is proved by the address that returned it. */

import { firstOf, isJsonObject, type JsonObject, listOf, prop, typesOf } from '@murmuration/activitypub/vocabulary/json'
import { originOf, readUri, sameOrigin, type Uri, withoutFragment } from '@murmuration/activitypub/vocabulary/uri'
import { isOurs, type OwnHosts, type TrustedUri, trustedUri } from '../core/activity/authority.rules.js'

export type FetchRefusal = 'ours' | 'not-a-document' | 'no-id' | 'claims-our-id' | 'another-origin' | 'another-id'

export type CheckedDocument =
  | { ok: true; uri: TrustedUri }
  /**
   * `instead`: the id in the document, which the caller may fetch once instead. If the reason is `claims-our-id`, the id
   * may only be looked up.
   */
  | { ok: false; reason: FetchRefusal; instead: Uri | null }

const activityJson = 'application/activity+json'
const linkedData = 'application/ld+json'
const profile = 'https://www.w3.org/ns/activitystreams'

/** True for media types of ActivityPub documents. Any other type is refused, because it may be a file that a user uploaded. */
export const isDocumentType = (contentType: string): boolean => {
  const [type = '', ...parameters] = contentType.split(';').map((it) => it.trim())
  const name = type.toLowerCase()
  if (name === activityJson) return true
  const value = parameters.map((it) => /^profile\s*=\s*"?([^"]*)"?$/i.exec(it)?.[1]).find((it) => it !== undefined)
  return name === linkedData && (value ?? '').split(/\s+/).includes(profile)
}

export type FetchedResponse = { requested: Uri; final: Uri; contentType: string }

/**
 * Fault of a response, regardless of its content; null if there is none. The last address must have the origin of the requested one.
 *
 * Because of this, a host cannot redirect to a document of another host and claim it.
 */
export const sourceFault = (response: FetchedResponse, ownHosts: OwnHosts): FetchRefusal | null => {
  if (isOurs(response.final, ownHosts)) return 'ours'
  if (!isDocumentType(response.contentType)) return 'not-a-document'
  return sameOrigin(response.requested, response.final) ? null : 'another-origin'
}

/** Checks the id of a fetched document: it must be the requested address or the last one after redirects. */
export const checkFetched = (response: FetchedResponse & { id: unknown }, ownHosts: OwnHosts): CheckedDocument => {
  const id = readUri(response.id)
  const no = (reason: FetchRefusal, instead: Uri | null = null): CheckedDocument => ({ ok: false, reason, instead })
  const fault = sourceFault(response, ownHosts)
  if (fault === 'ours' || fault === 'not-a-document') return no(fault)
  if (id === null) return no('no-id')
  if (isOurs(id, ownHosts)) return no('claims-our-id', id)
  const uri = trustedUri(id, originOf(response.final) as string)
  if (fault !== null || uri === null) return no('another-origin', id)
  const named = [withoutFragment(response.requested), withoutFragment(response.final)]
  // Fragments are ignored: an id with a fragment names a part of the fetched document.
  return named.includes(withoutFragment(uri) as typeof uri) ? { ok: true, uri } : no('another-id', uri)
}

/** Maximum number of items of a collection among which `embeddedPart` searches. */
const MAX_ITEMS = 200

/**
 * The embedded part of a document whose id is `id`, which has a fragment; null if there is none.
 *
 * Only the object of an activity, the replies of an object and the items of a collection are searched, because the
 * server itself writes these parts. The objects of Creates among them count, too.
 */
export const embeddedPart = (document: JsonObject, id: Uri): JsonObject | null => {
  if (!id.includes('#') || prop(document, 'id') === id) return null
  const collections = [document, firstOf(prop(document, 'replies'))].filter((it) => isJsonObject(it))
  const pages = collections.map((it) => firstOf(prop(it, 'first')))
  const holders = [...collections, ...pages].filter((it): it is JsonObject => isJsonObject(it))
  const parts = holders.flatMap((it) =>
    ['object', 'orderedItems', 'items'].flatMap((name) => listOf(prop(it, name), MAX_ITEMS)),
  )
  const creates = parts.filter((it): it is JsonObject => isJsonObject(it) && typesOf(it).includes('Create'))
  const inside = creates.flatMap((it) => listOf(prop(it, 'object'), 1))
  const part = [...parts, ...inside].find((it): it is JsonObject => isJsonObject(it) && prop(it, 'id') === id)
  return part === undefined ? null : { '@context': prop(document, '@context'), ...part }
}

export type KeyRefusal = 'another-origin' | 'not-listed'

/**
 * Null if a key belongs to its owner, else the reason.
 *
 * The key document must name the owner, and the owner's document, proved by its address, must list the key.
 */
export const keyFault = (
  key: { id: Uri; owner: Uri },
  ownerDocument: { uri: TrustedUri; lists: boolean },
): KeyRefusal | null => {
  if (!sameOrigin(key.id, key.owner)) return 'another-origin'
  return ownerDocument.uri === key.owner && ownerDocument.lists ? null : 'not-listed'
}
