/** Rules of warning presets: which titles are valid, and how a preset and the text by staff become one warning. */
import { errorText, invalidField } from '@murmuration/contracts/kit'

const MAX_TITLE = 100

export const titleOf = (given: string): string => {
  const title = given.trim()
  if ([...title].length > MAX_TITLE)
    throw invalidField(errorText('Title is too long (maximum is {most} characters)', { most: MAX_TITLE }))
  return title
}

/** The text of a warning: the preset, a blank line, and the text that was written for this account. */
export const textWithPreset = (preset: string | null, text: string): string =>
  [preset ?? '', text].filter((part) => part !== '').join('\n\n')
