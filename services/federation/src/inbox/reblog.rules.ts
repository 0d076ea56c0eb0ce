/** Decides whether a received reblog is stored. */

import type { Visibility } from '@murmuration/activitypub/vocabulary/audience'
import type { Uri } from '@murmuration/activitypub/vocabulary/uri'
import { isOwnerOf } from '../core/activity/authority.rules.js'

export type ReceivedReblog = {
  actor: Uri
  /** Author of the reblogged status, as stored or fetched. */
  author: Uri
  visibility: Visibility
  /** `isOurs`: true if the reblogged status is local. */
  isOurs: boolean
  /** True if a local account follows the actor of the reblog. */
  followed: boolean
}

export type ReblogRefusal = 'not-rebloggable' | 'nobody-asked'

/**
 * The reason why a reblog is not stored; null if it is stored. A followers-only status can be reblogged only by its
 * author.
 *
 * For other actors the caller must behave as if the status did not exist.
 */
export const reblogFault = (it: ReceivedReblog): ReblogRefusal | null => {
  const isOpen = it.visibility === 'public' || it.visibility === 'unlisted'
  const isOwn = it.visibility === 'private' && isOwnerOf(it.actor, it.author)
  if (!isOpen && !isOwn) return 'not-rebloggable'
  return it.followed || it.isOurs ? null : 'nobody-asked'
}
