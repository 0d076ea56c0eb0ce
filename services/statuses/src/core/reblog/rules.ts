/** Rules of boosting. */

import type { Visibility } from '@murmuration/contracts/entities'
import { fail, invalidField } from '@murmuration/contracts/kit'
import { readVisibility } from '../status/draft.rules.js'

/** May this person boost this status? Not visible is answered before; direct statuses, and private ones of others, never. */
export const mayReblog = (viewerId: string, status: { authorId: string; visibility: Visibility }): boolean =>
  status.visibility === 'public' ||
  status.visibility === 'unlisted' ||
  (status.visibility === 'private' && status.authorId === viewerId)

/** Visibility of a boost: private of a private original, else as asked, else the person’s default (behaviours 3). */
export const reblogVisibility = (
  original: Visibility,
  asked: string | null | undefined,
  usual: Visibility,
  silenced: boolean,
): Visibility => {
  const wanted = asked ? readVisibility(asked) : usual === 'direct' ? 'private' : usual
  if (wanted === 'direct') throw invalidField('Visibility is not included in the list')
  if (original === 'private') return 'private'
  return wanted === 'public' && silenced ? 'unlisted' : wanted
}

export const notAllowed = () => fail('forbidden', 'This action is not allowed')
