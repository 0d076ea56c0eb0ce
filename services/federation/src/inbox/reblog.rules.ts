/** Decides whether a reblog that arrived counts. */

import type { Visibility } from '@murmuration/activitypub/vocabulary/audience'
import type { Uri } from '@murmuration/activitypub/vocabulary/uri'
import { maySpeakFor } from '../core/authority.rules.js'

export type ReblogFacts = {
  actor: Uri
  /** The reblogged status as it is stored or was fetched. */
  author: Uri
  visibility: Visibility
  /** True when the status was written here. */
  isOurs: boolean
  /** Somebody here follows the one who reblogs. */
  followed: boolean
}

export type ReblogRefusal = 'not-rebloggable' | 'nobody-asked'

/**
 * Null when the reblog is stored. A status that is not open to everybody can be reblogged by its author alone; to others the
 * answer must be the same as for a status that does not exist.
 */
export const reblogFault = (it: ReblogFacts): ReblogRefusal | null => {
  const isOpen = it.visibility === 'public' || it.visibility === 'unlisted'
  const isOwn = it.visibility === 'private' && maySpeakFor(it.actor, it.author)
  if (!isOpen && !isOwn) return 'not-rebloggable'
  return it.followed || it.isOurs ? null : 'nobody-asked'
}
