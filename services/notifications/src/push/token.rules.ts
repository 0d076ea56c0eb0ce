/** Which token a request came with: a push subscription belongs to one token. */
import { fail } from '@murmuration/contracts/kit'
import type { Request } from '@murmuration/kernel'

/** A negative id stands for the session of a browser, because ids of tokens are never negative. */
export const sessionKey = (session: string): string => `-${session}`
/** The session that a key stands for; null for a token. */
export const sessionOf = (key: string): string | null => (key.startsWith('-') ? key.slice(1) : null)

/** Throws when the request came without a token; the edge lets none of those through. */
export const tokenIdOf = (request: Request): string => {
  const id = request.caller?.app?.tokenId
  if (id === undefined) throw fail('unauthenticated', 'The access token is invalid')
  return id
}
