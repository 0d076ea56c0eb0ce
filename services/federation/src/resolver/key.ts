/** Fetches a public key and proves its owner: the key names its owner, and the owner's document lists the key. */

import { listsKey, readKeyDocument } from '@murmuration/activitypub/vocabulary/read-key'
import { readUri, type Uri, withoutFragment } from '@murmuration/activitypub/vocabulary/uri'
import type { RemoteActor } from '@murmuration/contracts/accounts'
import { buildActor, type FetchContext } from './actor.js'
import { type Document, parseRead, readDocument, verifyDocument } from './document.js'
import { documentTypes, type Failed, failed, type Read } from './document-fetcher.js'
import { keyFault, sourceFault } from './fetched-document.rules.js'

/**
 * Time-out of the fetch of a key. It is shorter than the time-outs of senders, so that a sender gets a temporary error
 * and sends again.
 */
const KEY_MS = 8_000

type Key = NonNullable<ReturnType<typeof readKeyDocument>>

/**
 * The document of the owner of a key: the fetched document itself if its address is the owner's id, else the document
 * at that id.
 */
const ownerDocument = (
  context: FetchContext,
  read: Read,
  owner: Uri,
): Promise<Document | Failed> | Document | Failed =>
  read.requested === withoutFragment(owner)
    ? verifyDocument(read, owner, context.self.ownHosts)
    : readDocument(context.fetcher, owner, { kind: 'actor', ownHosts: context.self.ownHosts, exact: true })

/** The public key as PEM; null if its type is not supported. */
const pemOf = (context: FetchContext, key: Key): string | null => {
  const parsed = context.self.keys.verification(key.text)
  return parsed === null ? null : (parsed.key.export({ type: 'spki', format: 'pem' }) as string)
}

/** Fetches the owner of the key with this id. The returned actor has this key in `keys`. */
export const actorByKey = async (
  context: FetchContext,
  keyId: string,
): Promise<{ ok: true; actor: RemoteActor } | Failed> => {
  const uri = readUri(keyId)
  if (uri === null) return failed('refused')
  const read = await context.fetcher.read(uri, { kind: 'key', accept: documentTypes, timeoutMs: KEY_MS })
  if (!read.ok) return read
  const parsed = sourceFault(read, context.self.ownHosts) === null ? parseRead(read) : failed('refused')
  if (!parsed.ok) return parsed
  const key = readKeyDocument(parsed.document, keyId)
  const pem = key && pemOf(context, key)
  if (key === null || pem === null) return failed('refused')

  const owner = await ownerDocument(context, read, key.owner)
  if (!owner.ok) return owner
  const lists = listsKey(owner.document, keyId)
  if (keyFault(key, { uri: owner.uri, lists }) !== null) return failed('refused')
  const built = await buildActor(context, owner, { totals: false })
  if (!built.ok) return built
  const stated = built.actor.keys.find((it) => it.id === keyId)
  if (stated !== undefined && stated.pem !== pem) return failed('refused')
  return { ok: true, actor: stated ? built.actor : { ...built.actor, keys: [...built.actor.keys, { id: keyId, pem }] } }
}
