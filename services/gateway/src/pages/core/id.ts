/** Ids in addresses and forms of the pages below `/home`. */
import { isId } from '@murmuration/contracts/kit'
import { nothingHere } from './visit.js'

/** The id. Throws "not found" for anything else. */
export const idIn = (given: unknown): string => {
  if (typeof given !== 'string' || !isId(given)) throw nothingHere()
  return given
}

/** The id, or null for anything else. */
export const idOrNull = (given: unknown): string | null => (typeof given === 'string' && isId(given) ? given : null)
