/** Classes of characters for the grammars of handles, hashtags and links. */

const WORD = /[\p{L}\p{M}\p{Nd}\p{Pc}]/u
const LETTER = /\p{L}/u
const SPACE = /\s/

/** Whether a char code is an ASCII letter or digit. */
export const isAlphanumeric = (code: number): boolean =>
  (code >= 0x61 && code <= 0x7a) || (code >= 0x30 && code <= 0x39) || (code >= 0x41 && code <= 0x5a)

/** Whether a char code is an ASCII letter, digit or underscore, as in usernames and shortcodes. */
export const isAsciiWord = (code: number): boolean => isAlphanumeric(code) || code === 0x5f

/** Whether a code point is a letter, mark, decimal digit or connector of any script. The value -1 (no code point) gives false. */
export const isWord = (codePoint: number): boolean =>
  codePoint < 0x80 ? isAsciiWord(codePoint) : WORD.test(String.fromCodePoint(codePoint))

/** Whether a code point is a letter of any script. */
export const isLetter = (codePoint: number): boolean => LETTER.test(String.fromCodePoint(codePoint))

/** Whether a char code is white space of any script. */
export const isSpace = (code: number): boolean =>
  code < 0x80 ? code === 0x20 || (code >= 0x09 && code <= 0x0d) : SPACE.test(String.fromCharCode(code))

/** The code point that starts at an offset; -1 at the end of the text. */
export const codePointAt = (text: string, at: number): number => text.codePointAt(at) ?? -1

/** The code point that ends just before an offset; -1 at the start of the text. */
export function codePointBefore(text: string, at: number): number {
  if (at <= 0) return -1
  const low = text.charCodeAt(at - 1)
  if (low < 0xdc00 || low > 0xdfff || at < 2) return low
  const pair = text.codePointAt(at - 2)!
  return pair > 0xffff ? pair : low
}

/** Number of UTF-16 units of a code point. */
export const unitsOf = (codePoint: number): number => (codePoint > 0xffff ? 2 : 1)
