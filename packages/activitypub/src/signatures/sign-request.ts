/** Signs a request we are about to send; the signature is computed on the thread pool, so it does not stop the loop. */

import { signCavage } from './cavage.js'
import type { Scheme } from './claim.js'
import type { OutgoingRequest } from './request.js'
import { signMessage } from './rfc9421.js'

/**
 * The headers to send: those given, and `host`, the digest and the signature.
 * Send cavage first; after 400 or 401 cavage with `omitQuery` if there is a query, then rfc9421.
 */
export const signRequest = (request: OutgoingRequest & { scheme: Scheme }): Promise<Record<string, string>> =>
  request.scheme === 'cavage' ? signCavage(request) : signMessage(request)
