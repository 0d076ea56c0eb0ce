/** Parses public keys in actor documents and in key documents. */

import type { IncomingKey } from './actor.js'
import { limits } from './limits.js'
import { idOf, isLoose, type Loose, listOf, prop, scalarOf, typesOf } from './loose.js'
import { readUri, sameOrigin, type Uri, withoutFragment } from './uri.js'

/** Maximum number of characters of a key. The largest accepted RSA key needs about 1,400 as PEM. */
const longestKey = 8192

const keyText = (value: unknown): string | null => {
  const text = scalarOf(value)
  return typeof text === 'string' && text.length > 0 && text.length <= longestKey ? text : null
}

/** Parses a key node (`publicKeyPem` with `owner`, or `publicKeyMultibase` with `controller`); null if a part is missing. */
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

/** Keys that an actor document contains, and addresses of keys that it names. Keys of other origins or owners are left out. */
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
 * The key with exactly this id in a fetched document, which is an actor, a part of one, or a key. Returns null if the
 * document does not contain the key.
 *
 * The caller must check that the owner's document lists the key.
 */
export const readKeyDocument = (document: unknown, keyId: string): Omit<IncomingKey, 'inline'> | null => {
  if (!isLoose(document)) return null
  const nodes = [document, ...entriesOf(document)].filter((it): it is Loose => isLoose(it))
  const key = nodes.map(readKeyNode).find((it) => it?.id === keyId) ?? null
  return key !== null && sameOrigin(key.id, key.owner) ? key : null
}

/** True for an actor document that contains or names the key with this id. */
export const listsKey = (actor: unknown, keyId: string): boolean =>
  isLoose(actor) && typesOf(actor).length > 0 && entriesOf(actor).some((it) => idOf(it) === keyId)
