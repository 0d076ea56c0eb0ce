/** Validates shortcodes of custom emoji. */
import { errorText, invalidField } from '@murmuration/contracts/kit'
import { limits } from '@murmuration/contracts/limits'

const { min, max } = limits.media.emojiShortcode

/** Throws if texts could not contain the shortcode between colons, or if its length is not allowed. */
export const checkShortcode = (shortcode: string): void => {
  if (shortcode.length < min)
    throw invalidField(errorText('Shortcode is too short (minimum is {least} characters)', { least: min }))
  if (shortcode.length > max)
    throw invalidField(errorText('Shortcode is too long (maximum is {most} characters)', { most: max }))
  if (!/^\w+$/.test(shortcode)) throw invalidField('Shortcode only letters, numbers and underscores')
}
