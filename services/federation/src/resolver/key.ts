/** Fetches a public key and proves its owner: the key names its owner, and the owner's document lists the key. */

import { listsKey, readKeyDocument } from '@murmuration/activitypub/vocabulary/read-key'
import { readUri, type Uri, withoutFragment } from '@murmuration/activitypub/vocabulary/uri'
import type { RemoteActor } from '@murmuration/contracts/accounts'
import { buildActor, type Place } from './actor.js'
import { type Document, parseRead, proveRead, readDocument } from './document.js'
import { judgeKey, sourceFault } from './fetched-document.rules.js'
import { documentTypes, type Failed, failed, type Read } from './reader.js'

/**
 * Time-out of the fetch. The time-out is shorter than the time-outs of senders, which wait for the fetch and then get a
 * temporary error.
 */
const KEY_MS = 8_000

type Key = NonNullable<ReturnType<typeof readKeyDocument>>

/** The document of the owner: the response itself if it was requested at the owner's address, else fetched from there. */
const ownerDocument = (place: Place, read: Read, owner: Uri): Promise<Document | Failed> | Document | Failed =>
  read.asked === withoutFragment(owner)
    ? proveRead(read, owner, place.self.ownHosts)
    : readDocument(place.reader, owner, { kind: 'actor', ownHosts: place.self.ownHosts, exact: true })

/** The key as PEM; null if its type is not supported. */
const pemOf = (place: Place, key: Key): string | null => {
  const parsed = place.self.keys.verification(key.text)
  return parsed === null ? null : (parsed.key.export({ type: 'spki', format: 'pem' }) as string)
}

/** The owner of a key, with this key in `keys`. */
export const actorByKey = async (place: Place, keyId: string): Promise<{ ok: true; actor: RemoteActor } | Failed> => {
  const uri = readUri(keyId)
  if (uri === null) return failed('refused')
  const read = await place.reader.read(uri, { kind: 'key', accept: documentTypes, timeoutMs: KEY_MS })
  if (!read.ok) return read
  const parsed = sourceFault(read, place.self.ownHosts) === null ? parseRead(read) : failed('refused')
  if (!parsed.ok) return parsed
  const key = readKeyDocument(parsed.document, keyId)
  const pem = key && pemOf(place, key)
  if (key === null || pem === null) return failed('refused')

  const owner = await ownerDocument(place, read, key.owner)
  if (!owner.ok) return owner
  const lists = listsKey(owner.document, keyId)
  if (judgeKey(key, { uri: owner.uri, lists }) !== null) return failed('refused')
  const built = await buildActor(place, owner, { totals: false })
  if (!built.ok) return built
  const stated = built.actor.keys.find((it) => it.id === keyId)
  if (stated !== undefined && stated.pem !== pem) return failed('refused')
  return { ok: true, actor: stated ? built.actor : { ...built.actor, keys: [...built.actor.keys, { id: keyId, pem }] } }
}
