/** Custom emoji: what a shortcode may be. */
import { invalidField } from '@murmuration/contracts/kit'

const MIN = 2
const MOST = 100

/** Refuses shortcodes that texts cannot name between colons. */
export const checkShortcode = (shortcode: string): void => {
  if (shortcode.length < MIN) throw invalidField(`Shortcode is too short (minimum is ${MIN} characters)`)
  if (shortcode.length > MOST) throw invalidField(`Shortcode is too long (maximum is ${MOST} characters)`)
  if (!/^\w+$/.test(shortcode)) throw invalidField('Shortcode only letters, numbers and underscores')
}
