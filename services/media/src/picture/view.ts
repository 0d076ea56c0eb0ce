/** Addresses of pictures of remote people. */

import type { Addresses } from '../core/attachment-json.js'
import { signToken } from '../core/proxy-token.rules.js'

/** The copy's address, known before the copy is made; `still` is the form that does not move. */
export const pictureAddress = (at: Addresses, id: string, still = false): string =>
  at.copied(signToken(at.secret, { letter: still ? 's' : 'p', id }))
