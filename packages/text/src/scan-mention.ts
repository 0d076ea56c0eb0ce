/** Finds `@user` and `@user@domain` in plain text. */
import { codePointBefore, isAsciiWord, isWord } from './character.js'
import { readHost } from './scan-host.js'
import type { Matcher, MentionToken } from './token.js'

const MAX_USERNAME = 2048
const AT = 0x40

/**
 * Matches `@user` or `@user@domain`, unless it follows a word character, `/` or `=`. A handle with an invalid domain
 * (too long, not IDNA) stays text, because its first half would name another account.
 */
export const matchMention: Matcher<MentionToken> = (text, start) => {
  const before = codePointBefore(text, start)
  if (before === 0x2f || before === 0x3d || (before >= 0 && isWord(before))) return undefined
  const nameEnd = readUsername(text, start + 1)
  if (nameEnd === start + 1) return undefined
  const username = text.slice(start + 1, nameEnd)
  if (username.length > MAX_USERNAME) return { end: nameEnd }
  const local = { end: nameEnd, token: { kind: 'mention', start, end: nameEnd, username, domain: null } } as const
  if (text.charCodeAt(nameEnd) !== AT) return local
  const { end, read, domain } = readHost(text, nameEnd + 1)
  if (read === nameEnd + 1) return local
  return domain === null ? { end: read } : { end, token: { kind: 'mention', start, end, username, domain } }
}

/**
 * Offset after a username in a text. Dots and hyphens belong to the username only if a letter, digit or underscore
 * follows.
 */
function readUsername(text: string, from: number): number {
  let end = from
  for (let at = from; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (isAsciiWord(code)) end = at + 1
    else if (at === from || (code !== 0x2e && code !== 0x2d)) break
  }
  return end
}
