/** Rules of boosting. */

import type { Visibility } from '@murmuration/contracts/entities'
import { fail, invalidField } from '@murmuration/contracts/kit'
import { readVisibility } from '../status/draft.rules.js'

/** Whether an account may boost a visible status. Direct statuses and private ones of others cannot be boosted. */
export const mayReblog = (viewerId: string, status: { authorId: string; visibility: Visibility }): boolean =>
  status.visibility === 'public' ||
  status.visibility === 'unlisted' ||
  (status.visibility === 'private' && status.authorId === viewerId)

/**
 * Visibility of a boost: private if the original is private, else as requested, else the account's default. Throws 422
 * for `direct`. Public becomes unlisted if the account is limited.
 */
export const reblogVisibility = (
  original: Visibility,
  requested: string | null | undefined,
  usual: Visibility,
  silenced: boolean,
): Visibility => {
  const wanted = requested ? readVisibility(requested) : usual === 'direct' ? 'private' : usual
  if (wanted === 'direct') throw invalidField('Visibility is not included in the list')
  if (original === 'private') return 'private'
  return wanted === 'public' && silenced ? 'unlisted' : wanted
}

/**
 * Time of a boost: the stated time, but later than the boosted status. Lists are in order of ids, so an earlier boost would be below
 * the status. Other servers compare `published`, which is later than the id if attachments were processed in between. All times are in
 * milliseconds.
 * @param original times in the id of the boosted status and of its creation
 */
export const timeOfReblog = (stated: number, original: { id: number; created: number }): number =>
  Math.max(stated, original.id + 1, original.created + 1)

export const notAllowed = () => fail('forbidden', 'This action is not allowed')
