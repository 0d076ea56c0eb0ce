/** Splits plain status text into tokens in one pass and linear time. */
import { matchHashtag } from './scan-hashtag.js'
import { matchMention } from './scan-mention.js'
import { matchShortcode } from './scan-shortcode.js'
import { matchUrl } from './scan-url.js'
import type { Matcher, Token } from './token.js'

const FULL_WIDTH_HASH = 0xff03

/** First letters of the schemes that become links. */
const URL_STARTS = 'hHxXmMdDiIsSgG'

const STARTERS: readonly (Matcher<Token> | undefined)[] = Array.from({ length: 128 }, (_, code) => {
  const char = String.fromCharCode(code)
  if (char === '@') return matchMention
  if (char === '#') return matchHashtag
  if (char === ':') return matchShortcode
  return URL_STARTS.includes(char) ? matchUrl : undefined
})

/**
 * Tokens of a text, in order and without gaps.
 *
 * @example scan('hi @bob').map((token) => token.kind) // ['text', 'mention']
 */
export function scan(text: string): Token[] {
  const tokens: Token[] = []
  let textStart = 0
  let urlEnd = 0
  let at = 0
  while (at < text.length) {
    const code = text.charCodeAt(at)
    const matcher = code < 128 ? STARTERS[code] : code === FULL_WIDTH_HASH ? matchHashtag : undefined
    const match = matcher?.(text, at, urlEnd)
    if (match?.token) {
      if (at > textStart) tokens.push({ kind: 'text', start: textStart, end: at })
      tokens.push(match.token)
      textStart = match.end
      if (match.token.kind === 'url') urlEnd = match.end
    }
    at = match ? Math.max(match.end, at + 1) : at + 1
  }
  if (text.length > textStart) tokens.push({ kind: 'text', start: textStart, end: text.length })
  return tokens
}
