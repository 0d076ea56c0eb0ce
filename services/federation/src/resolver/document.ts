/** A JSON document of another server whose id was proved by its address. */

import { type Loose, prop } from '@murmuration/activitypub/vocabulary/loose'
import { parseDocument } from '@murmuration/activitypub/vocabulary/parse-document'
import type { Uri } from '@murmuration/activitypub/vocabulary/uri'
import type { OwnHosts, TrustedUri } from '../core/authority.rules.js'
import { judgeFetched, sourceFault } from './fetched-document.rules.js'
import { documentTypes, type Failed, failed, type Read, type Reader, type ReadOptions } from './reader.js'

export type Document = { ok: true; uri: TrustedUri; document: Loose }

/** The JSON of a response. An invalid document is refused. */
export const parseRead = (read: Read): { ok: true; document: Loose } | Failed => {
  const parsed = parseDocument(read.body)
  return parsed.ok ? parsed : failed('refused')
}

/** A document with another id than its address: `instead` is its id on the same server, `elsewhere` on another one. */
export type Unproved = Failed & { instead?: Uri | null; elsewhere?: Uri | null }

/** Proves the id of a document that was read. */
export const proveRead = (read: Read, ownHosts: OwnHosts): Document | Unproved => {
  const parsed = parseRead(read)
  if (!parsed.ok) return parsed
  const judged = judgeFetched({ ...read, id: prop(parsed.document, 'id') }, ownHosts)
  if (judged.ok) return { ok: true, uri: judged.uri, document: parsed.document }
  return {
    ...failed('refused'),
    instead: judged.reason === 'another-id' ? judged.instead : null,
    elsewhere: judged.reason === 'another-origin' ? judged.instead : null,
  }
}

/** The document at an address. If it has another id on the same server, that id is fetched once and must then be its own. */
export const readDocument = async (
  reader: Reader,
  uri: Uri,
  options: Pick<ReadOptions, 'kind'> & {
    ownHosts: OwnHosts
    exact?: boolean
    /** The id may also be on another server, which is requested then: only for look-ups where any object will do. */
    elsewhere?: boolean
  },
): Promise<Document | Failed> => {
  const { kind, ownHosts } = options
  const read = await reader.read(uri, { kind, accept: documentTypes })
  if (!read.ok) return read
  const first = proveRead(read, ownHosts)
  const instead = first.ok ? null : (first.instead ?? (options.elsewhere ? first.elsewhere : null))
  if (first.ok || options.exact || !instead) return first
  const again = await reader.read(instead, { kind, accept: documentTypes })
  return again.ok ? proveRead(again, ownHosts) : again
}

/** A document that is known by something inside it, such as a key: only its source is judged. */
export const readSource = async (
  reader: Reader,
  uri: Uri,
  options: { kind: ReadOptions['kind']; ownHosts: OwnHosts },
): Promise<{ ok: true; document: Loose } | Failed> => {
  const read = await reader.read(uri, { kind: options.kind, accept: documentTypes })
  if (!read.ok) return read
  return sourceFault(read, options.ownHosts) === null ? parseRead(read) : failed('refused')
}
