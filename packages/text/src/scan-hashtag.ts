/** Finds hashtags in plain text. */
import { isSpace } from './character.js'
import { normaliseTag, readTag } from './tag.js'
import type { HashtagToken, Matcher } from './token.js'

/** `#` or the full-width `＃`, at the start or after white space, and a tag name. */
export const matchHashtag: Matcher<HashtagToken> = (text, start) => {
  if (start > 0 && !isSpace(text.charCodeAt(start - 1))) return undefined
  const end = readTag(text, start + 1)
  if (end <= 0) return { end: -end }
  const display = text.slice(start + 1, end)
  const name = normaliseTag(display)
  return name === '' ? { end } : { end, token: { kind: 'hashtag', start, end, name, display } }
}
