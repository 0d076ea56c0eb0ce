/** Rules for changes that staff makes to a hashtag. */
import { invalidField } from '@murmuration/contracts/kit'
import { normaliseTag } from '@murmuration/text'

/**
 * New spelling of a tag; null if none is given.
 * @throws unprocessable if the spelling is that of another tag
 */
export const spellingOf = (name: string, given: string | null | undefined): string | null => {
  if (given === null || given === undefined) return null
  const spelling = given.trim().replace(/^[#＃]/, '')
  if (normaliseTag(spelling) !== name) throw invalidField('Display name does not match the previous name')
  return spelling
}
