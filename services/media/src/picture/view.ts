/** Builds the URLs of copies of remote pictures. */

import type { Addresses } from '../core/attachment/json.js'
import type { Picture } from '../core/picture/store.js'
import { signToken } from '../core/remote-file/proxy-token.rules.js'

/**
 * URL of the copy of a picture. The URL is known before the copy exists. With `still`, the URL is that of the first
 * frame of an animation.
 */
export const pictureAddress = (at: Addresses, id: string, still = false): string =>
  at.copied(signToken(at.secret, { letter: still ? 's' : 'p', id }))

/**
 * URL of the still image of a picture. Other services store the URL, often before the copy exists. It is then not known
 * whether the picture is an animation. If it is none, the URL redirects to the picture.
 */
export const stillAddress = (
  at: Addresses,
  { id, key, still_key }: Pick<Picture, 'id' | 'key' | 'still_key'>,
): string => pictureAddress(at, id, key === null || still_key !== null)
