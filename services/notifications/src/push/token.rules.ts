/** Keys of push subscriptions: the id of the access token, or the negative id of a browser session. */
import { fail } from '@murmuration/contracts/kit'
import type { Request } from '@murmuration/kernel'

/** The key of a browser session: its negative id, because token ids are never negative. */
export const sessionKey = (session: string): string => `-${session}`
/** The session id of a key; null if the key is a token id. */
export const sessionOf = (key: string): string | null => (key.startsWith('-') ? key.slice(1) : null)

/** The token id of a request. Throws if the request has no token, which the edge already refuses. */
export const tokenIdOf = (request: Request): string => {
  const id = request.caller?.app?.tokenId
  if (id === undefined) throw fail('unauthenticated', 'The access token is invalid')
  return id
}
