/** Parses ids in URLs and forms of the pages below `/home`. */
import { isId } from '@murmuration/contracts/kit'
import { pageNotFound } from './page-request.js'

/** Returns the given id. Throws `not_found` if it is no valid id. */
export const idIn = (given: unknown): string => {
  if (typeof given !== 'string' || !isId(given)) throw pageNotFound()
  return given
}

/** Returns the given id; null if it is no valid id. */
export const idOrNull = (given: unknown): string | null => (typeof given === 'string' && isId(given) ? given : null)
