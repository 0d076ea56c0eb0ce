/** Which token a request came with: a push subscription belongs to one token. */
import { fail } from '@murmuration/contracts/kit'
import type { Request } from '@murmuration/kernel'

/** Throws when the request came without a token; the edge lets none of those through. */
export const tokenIdOf = (request: Request): string => {
  const id = request.caller?.app?.tokenId
  if (id === undefined) throw fail('unauthenticated', 'The access token is invalid')
  return id
}
