/** Addresses of copies of remote pictures. */

import type { Addresses } from '../core/attachment-json.js'
import { signToken } from '../core/proxy-token.rules.js'

/**
 * Address of the copy, which is valid before the copy exists. With `still`, the address is that of the first frame of
 * an animation.
 */
export const pictureAddress = (at: Addresses, id: string, still = false): string =>
  at.copied(signToken(at.secret, { letter: still ? 's' : 'p', id }))
