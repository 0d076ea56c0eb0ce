/** Reads public keys out of actors and out of the documents that key addresses lead to. */

import type { IncomingKey } from './actor.js'
import { limits } from './limits.js'
import { idOf, isLoose, type Loose, listOf, prop, typesOf } from './loose.js'
import { readUri, sameOrigin, type Uri, withoutFragment } from './uri.js'

/** PEM of an RSA key of 8192 bits has about 1,400 characters. */
const longestKey = 8192

const keyText = (value: unknown): string | null =>
  typeof value === 'string' && value.length > 0 && value.length <= longestKey ? value : null

/** One key node with its owner, whichever of the two vocabularies it uses; null when a part is missing. */
const readKeyNode = (node: Loose): Omit<IncomingKey, 'inline'> | null => {
  const id = readUri(prop(node, 'id'))
  const pem = keyText(prop(node, 'publicKeyPem'))
  const multibase = keyText(prop(node, 'publicKeyMultibase'))
  const text = pem ?? multibase
  const owner = idOf(prop(node, pem === null ? 'controller' : 'owner'))
  if (id === null || owner === null || text === null) return null
  return { id, owner, form: pem === null ? 'multibase' : 'pem', text }
}

const entriesOf = (actor: Loose): readonly unknown[] => [
  ...listOf(prop(actor, 'publicKey'), limits.keys),
  ...listOf(prop(actor, 'assertionMethod'), limits.keys),
]

/** The keys that an actor document states or points to, none from another origin and none of another owner. */
export const readKeys = (actor: Loose, uri: Uri): { keys: readonly IncomingKey[]; keyUris: readonly Uri[] } => {
  const keys: IncomingKey[] = []
  const keyUris: Uri[] = []
  for (const entry of entriesOf(actor)) {
    const key = isLoose(entry) ? readKeyNode(entry) : null
    if (key !== null && key.owner === uri && sameOrigin(key.id, uri))
      keys.push({ ...key, inline: withoutFragment(key.id) === uri })
    const pointer = isLoose(entry) ? null : readUri(entry)
    if (pointer !== null && sameOrigin(pointer, uri)) keyUris.push(pointer)
  }
  return { keys, keyUris }
}

/**
 * The key with exactly this id in a fetched document: an actor, a stub of one, or the bare key. Null when the document does
 * not hold it. The caller still has to see that the owner lists the key, unless the owner is this very document.
 */
export const readKeyDocument = (document: unknown, keyId: string): Omit<IncomingKey, 'inline'> | null => {
  if (!isLoose(document)) return null
  const nodes = [document, ...entriesOf(document)].filter((it): it is Loose => isLoose(it))
  const key = nodes.map(readKeyNode).find((it) => it?.id === keyId) ?? null
  return key !== null && sameOrigin(key.id, key.owner) ? key : null
}

/** True for an actor document that lists the key id among its keys: the way from the owner to the key. */
export const listsKey = (actor: unknown, keyId: string): boolean =>
  isLoose(actor) && typesOf(actor).length > 0 && entriesOf(actor).some((it) => idOf(it) === keyId)
