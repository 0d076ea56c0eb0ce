/** Addresses of pictures of remote people. */
import { signToken } from '../domain/proxy-token.js'
import type { Addresses } from './attachment.js'

/** The copy's address, known before the copy is made; `still` is the form that does not move. */
export const pictureAddress = (at: Addresses, id: string, still = false): string =>
  at.copied(signToken(at.secret, { letter: still ? 's' : 'p', id }))
