/** Signs outgoing requests. The signature is computed on the thread pool, so it does not block the event loop. */

import { signCavage } from './cavage.js'
import type { Scheme } from './claim.js'
import type { OutgoingRequest } from './request.js'
import { signMessage } from './rfc9421.js'

/**
 * Returns the headers to send: the headers of the request, `host`, the headers of the signature scheme, and the digest
 * if there is a body.
 *
 * Callers try the scheme that the host accepted last, at first cavage. After 400 or 401, callers try the other schemes:
 * cavage, cavage with `omitQuery` if there is a query, and rfc9421.
 */
export const signRequest = (request: OutgoingRequest & { scheme: Scheme }): Promise<Record<string, string>> =>
  request.scheme === 'cavage' ? signCavage(request) : signMessage(request)
