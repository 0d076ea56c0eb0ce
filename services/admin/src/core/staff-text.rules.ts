/** Texts that staff writes: notes about accounts and presets of warnings. */
import { errorText, invalidField } from '@murmuration/contracts/kit'
import { limits } from '@murmuration/contracts/limits'

/** The text without spaces around it. Throws 422 if it is empty or too long. */
export const staffTextOf = (given: string): string => {
  const text = given.trim()
  const max = limits.accounts.moderationNoteCharacters
  if (text === '') throw invalidField("Text can't be blank")
  if ([...text].length > max)
    throw invalidField(errorText('Text is too long (maximum is {most} characters)', { most: max }))
  return text
}
