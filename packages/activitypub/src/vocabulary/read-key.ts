/** Parses public keys in actor documents and in key documents. */

import type { IncomingKey } from './actor.js'
import { idOf, isJsonObject, type JsonObject, listOf, prop, scalarOf, typesOf } from './json.js'
import { limits } from './limits.js'
import { readUri, sameOrigin, type Uri, withoutFragment } from './uri.js'

/** Maximum number of characters of a key. The largest accepted RSA key needs about 1,400 as PEM. */
const longestKey = 8192

const keyText = (value: unknown): string | null => {
  const text = scalarOf(value)
  return typeof text === 'string' && text.length > 0 && text.length <= longestKey ? text : null
}

/**
 * Parses a key object (`publicKeyPem` or `publicKeyMultibase`, with `owner` or `controller`); null if its id, owner or
 * key text is missing.
 *
 * `holder`: id of the actor whose document contains the key. This actor owns a key that names no owner. `unnamed`: id
 * for a key without an address as its id.
 */
const readKeyNode = (node: JsonObject, holder: Uri | null, unnamed: Uri | null): Omit<IncomingKey, 'inline'> | null => {
  const id = readUri(prop(node, 'id')) ?? unnamed
  const pem = keyText(prop(node, 'publicKeyPem'))
  const multibase = keyText(prop(node, 'publicKeyMultibase'))
  const text = pem ?? multibase
  const [first, second] = pem === null ? ['controller', 'owner'] : ['owner', 'controller']
  const named = prop(node, first) ?? prop(node, second)
  const owner = named === undefined || named === null ? holder : idOf(named)
  if (id === null || owner === null || text === null) return null
  return { id, owner, form: pem === null ? 'multibase' : 'pem', text }
}

const keyTexts = ['publicKeyPem', 'publicKeyMultibase'] as const

/**
 * Address of a key of which an actor document has no copy, from a string, a JSON-LD reference, a Link or an id. Null if
 * the entry is the key itself.
 */
const pointerIn = (entry: unknown): Uri | null =>
  isJsonObject(entry) && keyTexts.some((name) => Object.hasOwn(entry, name)) ? null : idOf(entry)

const entriesOf = (actor: JsonObject): readonly unknown[] => [
  ...listOf(prop(actor, 'publicKey'), limits.keys),
  ...listOf(prop(actor, 'assertionMethod'), limits.keys),
]

/**
 * The first key in `publicKey` without an address as its id; undefined if there is none. Some servers omit the id, because Mastodon
 * ignores it. Keys in `assertionMethod` need an id, because integrity proofs name it.
 */
const unnamedKeyOf = (actor: JsonObject): JsonObject | undefined =>
  listOf(prop(actor, 'publicKey'), limits.keys).find(
    (entry): entry is JsonObject => isJsonObject(entry) && idOf(entry) === null,
  )

/** The key in `publicKey` if it is the only key and not on another origin than the actor; else undefined. */
const soleKeyOf = (actor: JsonObject, uri: Uri): JsonObject | undefined => {
  const [key, ...others] = listOf(prop(actor, 'publicKey'), limits.keys)
  if (!isJsonObject(key) || pointerIn(key) !== null || others.length > 0) return undefined
  const id = readUri(prop(key, 'id'))
  return id === null || sameOrigin(id, uri) ? key : undefined
}

/**
 * The key of an actor that an id denotes although no key has this id; undefined if there is none.
 *
 * | Id | Key |
 * |---|---|
 * | id of the actor, with any fragment or none | the key without an id |
 * | id of the actor | the only key, because some servers sign with it |
 */
const impliedKey = (actor: JsonObject, uri: Uri, id: string): JsonObject | undefined => {
  const unnamed = withoutFragment(id as Uri) === withoutFragment(uri) ? unnamedKeyOf(actor) : undefined
  return unnamed ?? (id === uri ? soleKeyOf(actor, uri) : undefined)
}

/** Id under which the key of an actor is stored that has no id. */
const mainKeyOf = (actor: Uri): Uri => `${withoutFragment(actor)}#main-key` as Uri

/**
 * True if an actor document claims to have a key in `publicKey`. An empty value, an empty object and a node with an empty
 * text claim none. `assertionMethod` does not count, because it may have only keys of unsupported types.
 */
export const claimsKey = (actor: JsonObject): boolean =>
  listOf(prop(actor, 'publicKey'), limits.keys).some((entry) => {
    if (!isJsonObject(entry)) return entry !== null && entry !== ''
    const texts = keyTexts.filter((name) => Object.hasOwn(entry, name))
    const isEmpty = texts.every((name) => [null, undefined, ''].includes(scalarOf(prop(entry, name)) as string))
    return Object.keys(entry).length > 0 && (texts.length === 0 || !isEmpty)
  })

/**
 * Keys that an actor document contains, and addresses of further keys that it names. Keys of other origins or owners are left out. A
 * key without an id gets the id `ACTOR#main-key`.
 */
export const readKeys = (actor: JsonObject, uri: Uri): { keys: readonly IncomingKey[]; keyUris: readonly Uri[] } => {
  const keys: IncomingKey[] = []
  const pointers = new Set<Uri>()
  const unnamed = unnamedKeyOf(actor)
  for (const entry of entriesOf(actor)) {
    const key = isJsonObject(entry) ? readKeyNode(entry, uri, entry === unnamed ? mainKeyOf(uri) : null) : null
    if (key !== null && key.owner === uri && sameOrigin(key.id, uri))
      keys.push({ ...key, inline: withoutFragment(key.id) === uri })
    const pointer = pointerIn(entry)
    // The address of an object that names a part of this document is left out, because the object has no copy
    // elsewhere. An example is a key of an unsupported type.
    const isHere = isJsonObject(entry) && pointer !== null && withoutFragment(pointer) === withoutFragment(uri)
    if (pointer !== null && !isHere && sameOrigin(pointer, uri)) pointers.add(pointer)
  }
  for (const { id } of keys) pointers.delete(id)
  return { keys, keyUris: [...pointers] }
}

/**
 * The key with exactly this id in a fetched document, which is an actor, a part of an actor, or a key; else the key
 * that the id implies, see `impliedKey`. Returns null if the document does not contain the key.
 *
 * The caller must check that the owner's document lists the key.
 */
export const readKeyDocument = (document: unknown, keyId: string): Omit<IncomingKey, 'inline'> | null => {
  if (!isJsonObject(document)) return null
  const holder = readUri(prop(document, 'id'))
  const inside = entriesOf(document).flatMap((it) => (isJsonObject(it) ? [readKeyNode(it, holder, null)] : []))
  const named = [readKeyNode(document, null, null), ...inside].find((it) => it?.id === keyId)
  const implied = named === undefined && holder !== null ? impliedKey(document, holder, keyId) : undefined
  const read = implied === undefined ? null : readKeyNode(implied, holder, keyId as Uri)
  const key = named ?? (read && { ...read, id: keyId as Uri })
  return key !== null && sameOrigin(key.id, key.owner) ? key : null
}

/** True for an actor document that contains or names the key with this id, see `readKeyDocument`. */
export const listsKey = (actor: unknown, keyId: string): boolean => {
  if (!isJsonObject(actor) || typesOf(actor).length === 0) return false
  if (entriesOf(actor).some((it) => idOf(it) === keyId)) return true
  const uri = readUri(prop(actor, 'id'))
  return uri !== null && impliedKey(actor, uri, keyId) !== undefined
}
