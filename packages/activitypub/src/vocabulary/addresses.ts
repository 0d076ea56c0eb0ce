/** Reads the addresses of a document. */

import { limits } from './limits.js'
import { idOf, isLoose, type Loose, listOf, prop, referenceOf } from './loose.js'
import { isPublic, publicCollection, type Uri } from './uri.js'

/** To and cc as received, each address once. Other addressing (bto, bcc, audience) is ignored. */
export type Addressing = { readonly to: readonly Uri[]; readonly cc: readonly Uri[] }

const addressOf = (value: unknown): Uri | null => {
  const one = referenceOf(value)
  return isPublic(isLoose(one) ? prop(one, 'id') : one) ? publicCollection : idOf(one)
}

const addressesOf = (value: unknown): readonly Uri[] => [
  ...new Set(
    listOf(value, limits.addresses)
      .map(addressOf)
      .filter((it) => it !== null),
  ),
]

/** The addresses of a node; if it has none, those of the enclosing activity. */
export const readAddressing = (node: Loose, around?: Addressing): Addressing => {
  const own = { to: addressesOf(prop(node, 'to')), cc: addressesOf(prop(node, 'cc')) }
  return own.to.length + own.cc.length > 0 ? own : (around ?? own)
}
