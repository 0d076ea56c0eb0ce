/** Finds hashtags in plain text. */
import { codePointBefore, isSpace, isWord, unitsOf } from './character.js'
import { normaliseTag, readTag } from './tag.js'
import type { HashtagToken, Matcher } from './token.js'

/** Characters after which `#` begins the fragment of an address, not a hashtag. */
const BEFORE_FRAGMENTS = new Set('/=)')
/** Matches an HTML character reference, such as `&#x27;`, whose `#` begins no hashtag. */
const REFERENCE = /&#(?:\d{1,7}|x[\da-f]{1,6});/iy
/**
 * Characters before `#` that do not count as part of a word: variation selectors and the keycap mark end an emoji,
 * underscores and other connectors mark emphasis.
 */
const NO_WORD = /[\ufe00-\ufe0f\u20e3\p{Pc}]/u
/** Maximum UTF-16 units before the `#` that are searched for an address without a scheme. */
const LOOK_BACK = 200
const ADDRESS_START = /(?:^|[\p{L}\p{M}\p{N}-])\.(?:xn--[a-z0-9-]{1,59}|[\p{L}\p{M}]{2,63})(?::\d+)?[/?]|:\/\//iu
/** ASCII characters that end an address. */
const DELIMITER = /[\s()[\]{}<>"'`]/
/** For each ASCII character, 1 if it ends an address. */
const ENDS_ADDRESS = Uint8Array.from({ length: 0x80 }, (_, code) => Number(DELIMITER.test(String.fromCharCode(code))))
const LETTER_OR_DIGIT = /[\p{L}\p{M}\p{N}]/u

/**
 * Matches ASCII text without spaces. LOOK_BACK such characters before a `#` count as part of an address that begins
 * earlier. Only ASCII counts, because some scripts have long sentences without spaces.
 */
const LONG_PART = /^[!-~]+$/

/** Matches `#` or the full-width `＃` with a tag name, unless it follows a word or is within an address. */
export const matchHashtag: Matcher<HashtagToken> = (text, start, urlEnd) => {
  if (!mayStart(text, start, urlEnd)) return undefined
  const end = readTag(text, start + 1)
  if (end <= 0) return { end: -end }
  const display = text.slice(start + 1, end)
  const name = normaliseTag(display)
  return name === '' ? { end } : { end, token: { kind: 'hashtag', start, end, name, display } }
}

function mayStart(text: string, start: number, urlEnd: number): boolean {
  const before = codePointBefore(text, start)
  if (before < 0 || isSpace(before)) return true
  const char = String.fromCodePoint(before)
  if (BEFORE_FRAGMENTS.has(char) || (isWord(before) && !NO_WORD.test(char))) return false
  if (char === '&' && isReference(text, start - 1)) return false
  return !isInAddress(addressPart(text, start, urlEnd))
}

/**
 * Matches text after a link that continues its address before the first `#`: by a slash, or by a letter or digit after
 * ASCII text. Words that are not ASCII and words after an ellipsis do not, because they often follow a link without a
 * space.
 */
const CONTINUES_ADDRESS = /^[^#]*[/\\]|^(?!\.{3})[!"$-~]*[a-z\d]/i

/**
 * The text before an offset that may be part of an address: ASCII without delimiters, and letters and digits of every
 * script. A link before it has ended and is not part of it, unless the text between continues the address.
 */
function addressPart(text: string, end: number, urlEnd: number): string {
  const lookBack = Math.max(0, end - LOOK_BACK)
  const part = addressPartFrom(text, end, Math.max(urlEnd, lookBack))
  return urlEnd > lookBack && CONTINUES_ADDRESS.test(part) ? addressPartFrom(text, end, lookBack) : part
}

function addressPartFrom(text: string, end: number, least: number): string {
  let start = end
  while (start > least) {
    const code = text.charCodeAt(start - 1)
    if (code < 0x80) {
      if (ENDS_ADDRESS[code] === 1) break
      start--
    } else {
      const codePoint = codePointBefore(text, start)
      if (!LETTER_OR_DIGIT.test(String.fromCodePoint(codePoint))) break
      start -= unitsOf(codePoint)
    }
  }
  return text.slice(start, end)
}

function isInAddress(part: string): boolean {
  if (part.length >= LOOK_BACK && LONG_PART.test(part) && !part.includes('#')) return true
  // Most parts contain no dot. The check is much faster than the expression.
  return (part.includes('.') || part.includes('://')) && ADDRESS_START.test(part)
}

function isReference(text: string, at: number): boolean {
  REFERENCE.lastIndex = at
  return REFERENCE.test(text)
}
