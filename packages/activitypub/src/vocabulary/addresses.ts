/** Parses the addressing of a document. */

import { idOf, isJsonObject, type JsonObject, listOf, prop, referenceOf } from './json.js'
import { limits } from './limits.js'
import { isPublic, publicCollection, type Uri } from './uri.js'

/** Addresses in `to` and `cc`, without duplicates. `bto`, `bcc` and `audience` are ignored. */
export type Addressing = { readonly to: readonly Uri[]; readonly cc: readonly Uri[] }

const addressOf = (value: unknown): Uri | null => {
  const one = referenceOf(value)
  return isPublic(isJsonObject(one) ? prop(one, 'id') : one) ? publicCollection : idOf(one)
}

const addressesOf = (value: unknown): readonly Uri[] => [
  ...new Set(
    listOf(value, limits.addresses)
      .map(addressOf)
      .filter((it) => it !== null),
  ),
]

/** Addressing of an object (`node`); if the object has none, the addressing of the enclosing activity (`around`). */
export const readAddressing = (node: JsonObject, around?: Addressing): Addressing => {
  const own = { to: addressesOf(prop(node, 'to')), cc: addressesOf(prop(node, 'cc')) }
  return own.to.length + own.cc.length > 0 ? own : (around ?? own)
}
