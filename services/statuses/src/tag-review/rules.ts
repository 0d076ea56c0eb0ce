/** Rules for changes that staff makes to a hashtag. */
import { invalidField } from '@murmuration/contracts/kit'
import { normaliseTag } from '@murmuration/text'

/**
 * The new spelling of a tag: null when none is given.
 * @throws unprocessable unless the spelling means the same tag
 */
export const spellingOf = (name: string, given: string | null | undefined): string | null => {
  if (given === null || given === undefined) return null
  const spelling = given.trim().replace(/^[#＃]/, '')
  if (normaliseTag(spelling) !== name) throw invalidField('Display name does not match the previous name')
  return spelling
}
