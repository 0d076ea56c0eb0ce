/** Kinds of characters that the grammars of handles, tags and links are made of. */

const WORD = /[\p{L}\p{M}\p{Nd}\p{Pc}]/u
const LETTER = /\p{L}/u
const SPACE = /\s/

/** ASCII letter or digit, by char code. */
export const isAlphanumeric = (code: number): boolean =>
  (code >= 0x61 && code <= 0x7a) || (code >= 0x30 && code <= 0x39) || (code >= 0x41 && code <= 0x5a)

/** ASCII letter, digit or underscore, by char code: what user names and shortcodes are made of. */
export const isAsciiWord = (code: number): boolean => isAlphanumeric(code) || code === 0x5f

/** Letter, mark, decimal digit or connector of any script, by code point; -1 (no character) is none. */
export const isWord = (codePoint: number): boolean =>
  codePoint < 0x80 ? isAsciiWord(codePoint) : WORD.test(String.fromCodePoint(codePoint))

/** Letter of any script, by code point. */
export const isLetter = (codePoint: number): boolean => LETTER.test(String.fromCodePoint(codePoint))

/** White space of any script, by char code. */
export const isSpace = (code: number): boolean =>
  code < 0x80 ? code === 0x20 || (code >= 0x09 && code <= 0x0d) : SPACE.test(String.fromCharCode(code))

/** The code point that starts at an offset, -1 at the end. */
export const codePointAt = (text: string, at: number): number => text.codePointAt(at) ?? -1

/** The code point that ends just before an offset, -1 at the start. */
export function codePointBefore(text: string, at: number): number {
  if (at <= 0) return -1
  const low = text.charCodeAt(at - 1)
  if (low < 0xdc00 || low > 0xdfff || at < 2) return low
  const pair = text.codePointAt(at - 2)!
  return pair > 0xffff ? pair : low
}

/** How many UTF-16 units a code point takes. */
export const unitsOf = (codePoint: number): number => (codePoint > 0xffff ? 2 : 1)
