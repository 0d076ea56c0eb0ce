/** Validates shortcodes of custom emoji. */
import { errorText, invalidField } from '@murmuration/contracts/kit'

const MIN = 2
const MAX_CHARACTERS = 100

/** Throws if texts could not contain the shortcode between colons, or if its length is not allowed. */
export const checkShortcode = (shortcode: string): void => {
  if (shortcode.length < MIN)
    throw invalidField(errorText('Shortcode is too short (minimum is {least} characters)', { least: MIN }))
  if (shortcode.length > MAX_CHARACTERS)
    throw invalidField(errorText('Shortcode is too long (maximum is {most} characters)', { most: MAX_CHARACTERS }))
  if (!/^\w+$/.test(shortcode)) throw invalidField('Shortcode only letters, numbers and underscores')
}
