/** Finds `:shortcode:` of custom emoji in plain text. */
import { isAlphanumeric, isAsciiWord } from './character.js'
import type { Matcher, ShortcodeToken } from './token.js'

const MIN_SHORTCODE = 2
const MAX_SHORTCODE = 2048
const COLON = 0x3a

/**
 * Matches ASCII letters, digits and underscores between colons, unless the colons touch another letter, digit or colon.
 */
export const matchShortcode: Matcher<ShortcodeToken> = (text, start) => {
  if (start > 0 && touches(text.charCodeAt(start - 1))) return undefined
  let end = start + 1
  while (end < text.length && isAsciiWord(text.charCodeAt(end))) end++
  const length = end - start - 1
  const closed = text.charCodeAt(end) === COLON && !touches(text.charCodeAt(end + 1))
  if (!closed || length < MIN_SHORTCODE || length > MAX_SHORTCODE) return { end }
  return { end: end + 1, token: { kind: 'shortcode', start, end: end + 1, shortcode: text.slice(start + 1, end) } }
}

const touches = (code: number): boolean => code === COLON || isAlphanumeric(code)
