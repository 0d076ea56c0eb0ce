/** Decides whether a boost that arrived counts. */

import type { Uri } from '../vocabulary/uri.js'
import type { Visibility } from './audience.js'
import { maySpeakFor } from './authority.js'

export type BoostFacts = {
  actor: Uri
  /** The boosted status as it is stored or was fetched. */
  author: Uri
  visibility: Visibility
  /** True when the status was written here. */
  isOurs: boolean
  /** Somebody here follows the one who boosts. */
  followed: boolean
}

export type BoostRefusal = 'not-boostable' | 'nobody-asked'

/**
 * Null when the boost is stored. A status that is not open to everybody can be boosted by its author alone; to others the
 * answer must be the same as for a status that does not exist.
 */
export const boostFault = (it: BoostFacts): BoostRefusal | null => {
  const isOpen = it.visibility === 'public' || it.visibility === 'unlisted'
  const isOwn = it.visibility === 'private' && maySpeakFor(it.actor, it.author)
  if (!isOpen && !isOwn) return 'not-boostable'
  return it.followed || it.isOurs ? null : 'nobody-asked'
}
