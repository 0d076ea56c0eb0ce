/** Builds the URLs of copies of remote pictures. */

import type { Addresses } from '../core/attachment/json.js'
import { signToken } from '../core/remote-file/proxy-token.rules.js'

/**
 * URL of the copy of a picture. The URL is known before the copy exists. With `still`, the URL is that of the first
 * frame of an animation.
 */
export const pictureAddress = (at: Addresses, id: string, still = false): string =>
  at.copied(signToken(at.secret, { letter: still ? 's' : 'p', id }))
