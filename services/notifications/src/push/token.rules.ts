/**
 * Creates and parses keys of push subscriptions: the id of the access token, or the negative id of a browser session.
 */
import { fail } from '@murmuration/contracts/kit'
import type { Request } from '@murmuration/kernel'

/** Returns the key of push subscriptions of a browser session: the negative session id, because token ids are never negative. */
export const sessionKey = (session: string): string => `-${session}`
/** Returns the session id in a key of push subscriptions; null if the key is a token id. */
export const sessionOf = (key: string): string | null => (key.startsWith('-') ? key.slice(1) : null)

/** Returns the token id of a request. Throws if the request has no token, although the gateway refuses such requests before. */
export const tokenIdOf = (request: Request): string => {
  const id = request.caller?.app?.tokenId
  if (id === undefined) throw fail('unauthenticated', 'The access token is invalid')
  return id
}
