/** Finds hashtags in plain text. */
import { codePointBefore, isSpace, isWord } from './character.js'
import { normaliseTag, readTag } from './tag.js'
import type { HashtagToken, Matcher } from './token.js'

/** Characters after which `#` begins the fragment of an address, not a hashtag. */
const BEFORE_FRAGMENTS = new Set('/=)')
/** Matches an HTML character reference, such as `&#x27;`, whose `#` begins no hashtag. */
const REFERENCE = /&#(?:\d{1,7}|x[\da-f]{1,6});/iy
/**
 * Characters before `#` that do not count as part of a word: variation selectors and the keycap mark end an emoji,
 * underscores mark emphasis.
 */
const NO_WORD = /[\ufe00-\ufe0f\u20e3_]/
/** Maximum UTF-16 units before the `#` that are searched for an address without a scheme. */
const LOOK_BACK = 200
const ADDRESS_START = /(?:^|[a-z0-9-])\.[a-z]{2,63}(:\d+)?[/?]|:\/\//i
const ADDRESS_PART = /[^\s()[\]{}<>"'`\u0080-\uffff]*$/

/** Matches `#` or the full-width `＃` with a tag name, unless it follows a word or is within an address. */
export const matchHashtag: Matcher<HashtagToken> = (text, start) => {
  if (!mayStart(text, start)) return undefined
  const end = readTag(text, start + 1)
  if (end <= 0) return { end: -end }
  const display = text.slice(start + 1, end)
  const name = normaliseTag(display)
  return name === '' ? { end } : { end, token: { kind: 'hashtag', start, end, name, display } }
}

function mayStart(text: string, start: number): boolean {
  const before = codePointBefore(text, start)
  if (before < 0 || isSpace(before)) return true
  const char = String.fromCodePoint(before)
  if (BEFORE_FRAGMENTS.has(char) || (isWord(before) && !NO_WORD.test(char))) return false
  if (char === '&' && isReference(text, start - 1)) return false
  const part = ADDRESS_PART.exec(text.slice(Math.max(0, start - LOOK_BACK), start))?.[0] ?? ''
  return !ADDRESS_START.test(part)
}

function isReference(text: string, at: number): boolean {
  REFERENCE.lastIndex = at
  return REFERENCE.test(text)
}
