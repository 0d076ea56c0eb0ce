/** Validates shortcodes of custom emoji. */
import { invalidField } from '@murmuration/contracts/kit'

const MIN = 2
const MOST = 100

/** Throws if texts could not contain the shortcode between colons, or if its length is not allowed. */
export const checkShortcode = (shortcode: string): void => {
  if (shortcode.length < MIN) throw invalidField(`Shortcode is too short (minimum is ${MIN} characters)`)
  if (shortcode.length > MOST) throw invalidField(`Shortcode is too long (maximum is ${MOST} characters)`)
  if (!/^\w+$/.test(shortcode)) throw invalidField('Shortcode only letters, numbers and underscores')
}
