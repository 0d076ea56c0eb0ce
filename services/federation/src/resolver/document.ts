/** Fetches JSON documents of other servers, and proves their ids by their addresses. */

import { type JsonObject, prop } from '@murmuration/activitypub/vocabulary/json'
import { parseDocument } from '@murmuration/activitypub/vocabulary/parse-document'
import { sameOrigin, type Uri } from '@murmuration/activitypub/vocabulary/uri'
import { isOurs, type OwnHosts, type TrustedUri } from '../core/activity/authority.rules.js'
import { alternateOf } from './alternate.js'
import {
  type DocumentFetcher,
  documentTypes,
  type Failed,
  failed,
  type Read,
  type ReadOptions,
} from './document-fetcher.js'
import { checkFetched, embeddedPart, isDocumentType, sourceFault } from './fetched-document.rules.js'

export type Document = { ok: true; uri: TrustedUri; document: JsonObject }

/** Parses the JSON document of a response. Fails with `refused` if it is invalid. */
export const parseRead = (read: Read): { ok: true; document: JsonObject } | Failed => {
  const parsed = parseDocument(read.body)
  return parsed.ok ? parsed : failed('refused')
}

/**
 * Failure for a document whose id is not its address. `instead`: the id, if it is on the same server. `elsewhere`: the
 * id, if it is on another server. `local`: the id, if it is on this server.
 */
export type UnverifiedDocument = Failed & { instead?: Uri | null; elsewhere?: Uri | null }

/** Parses the document of a response and proves its id. `uri`: the requested id, which may name a part of the document. */
export const verifyDocument = (read: Read, uri: Uri, ownHosts: OwnHosts): Document | UnverifiedDocument => {
  const parsed = parseRead(read)
  if (!parsed.ok) return parsed
  const checked = checkFetched({ ...read, id: prop(parsed.document, 'id') }, ownHosts)
  const mayContain = checked.ok || (checked.reason === 'no-id' && sourceFault(read, ownHosts) === null)
  const part = mayContain ? embeddedPart(parsed.document, uri) : null
  if (part !== null) return { ok: true, uri: uri as TrustedUri, document: part }
  if (checked.ok) return { ok: true, uri: checked.uri, document: parsed.document }
  return {
    ...failed('refused'),
    instead: checked.reason === 'another-id' ? checked.instead : null,
    elsewhere: checked.reason === 'another-origin' ? checked.instead : null,
    ...(checked.reason === 'claims-our-id' && checked.instead !== null && { local: checked.instead }),
  }
}

/**
 * Fetches the document at an address. If its id is another address on the same server, the document at that address is
 * fetched once instead (not if `exact`).
 */
export const readDocument = async (
  fetcher: DocumentFetcher,
  uri: Uri,
  options: Pick<ReadOptions, 'kind'> & {
    ownHosts: OwnHosts
    exact?: boolean
    /** True to follow an id on another server, too. `elsewhere` is for look-ups that accept any object. */
    elsewhere?: boolean
  },
): Promise<Document | Failed> => {
  const { kind, ownHosts } = options
  const read = await fetcher.read(uri, { kind, accept: documentTypes })
  if (!read.ok) return read
  const first = verifyDocument(read, uri, ownHosts)
  const instead = first.ok ? null : (first.instead ?? (options.elsewhere ? first.elsewhere : null))
  if (first.ok || options.exact || !instead) return first
  const again = await fetcher.read(instead, { kind, accept: documentTypes })
  return again.ok ? verifyDocument(again, instead, ownHosts) : outcomeOfOther(again, kind)
}

/**
 * Outcome for an address whose document names another one. A missing other document does not prove that the actor is
 * gone. Callers would remove its account.
 */
const outcomeOfOther = (other: Failed, kind: ReadOptions['kind']): Failed =>
  kind === 'actor' && (other.outcome === 'gone' || other.outcome === 'not-found') ? failed('refused') : other

/**
 * The ActivityPub document at an address, or the document that the HTML page at that address names. At most one further
 * address is fetched, on another server only with `elsewhere` (see `readDocument`). Its id must be its own address.
 */
export const documentAt = async (
  fetcher: DocumentFetcher,
  uri: Uri,
  options: Pick<ReadOptions, 'kind' | 'accept'> & { ownHosts: OwnHosts; elsewhere: boolean },
): Promise<Document | Failed> => {
  const { kind, accept, ownHosts, elsewhere } = options
  const read = await fetcher.read(uri, { kind, accept })
  if (!read.ok) return read
  if (!isDocumentType(read.contentType)) {
    const alternate = alternateOf(read)
    if (alternate === null) return failed('refused')
    if (isOurs(alternate, ownHosts)) return { ...failed('local'), local: alternate }
    if (!elsewhere && !sameOrigin(alternate, uri)) return failed('refused')
    const linked = await readDocument(fetcher, alternate, { kind, ownHosts, elsewhere })
    return linked.ok ? linked : outcomeOfOther(linked, kind)
  }
  const first = verifyDocument(read, uri, ownHosts)
  const instead = first.ok ? null : (first.instead ?? (elsewhere ? first.elsewhere : null))
  if (first.ok || !instead) return first
  const named = await readDocument(fetcher, instead, { kind, ownHosts, exact: true })
  return named.ok ? named : outcomeOfOther(named, kind)
}

/** Fetches a document without proving its id, for documents that are identified by their content, such as keys. */
export const readSource = async (
  fetcher: DocumentFetcher,
  uri: Uri,
  options: { kind: ReadOptions['kind']; ownHosts: OwnHosts },
): Promise<{ ok: true; document: JsonObject } | Failed> => {
  const read = await fetcher.read(uri, { kind: options.kind, accept: documentTypes })
  if (!read.ok) return read
  return sourceFault(read, options.ownHosts) === null ? parseRead(read) : failed('refused')
}
