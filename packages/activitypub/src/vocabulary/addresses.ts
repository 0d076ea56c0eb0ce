/** Reads whom a document is addressed to. */

import { limits } from './limits.js'
import { idOf, isLoose, type Loose, listOf, prop, referenceOf } from './loose.js'
import { isPublic, publicCollection, type Uri } from './uri.js'

/** To and cc as they came, each address once. What else addresses somebody (bto, bcc, audience) is left where it is. */
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

/** The addressing of a node; where it names nobody at all, that of the activity around it. */
export const readAddressing = (node: Loose, around?: Addressing): Addressing => {
  const own = { to: addressesOf(prop(node, 'to')), cc: addressesOf(prop(node, 'cc')) }
  return own.to.length + own.cc.length > 0 ? own : (around ?? own)
}
