/** Hashtag names: valid names, and their normal form for storing, comparing and following. */
import { codePointAt, isLetter, isWord, unitsOf } from './character.js'

/** Maximum length of a hashtag in UTF-16 units: the length of the longest local status. */
const MAX_TAG = 500

const SEPARATORS = new Set([0xb7, 0x30fb, 0x200c])
const ASCII_NAME = /^[A-Za-z0-9_]*$/
// Characters that are removed from a tag name. Variation selectors and keycap marks are listed, because they remain
// when emoji are removed.
const DROPPED = /[^\p{L}\p{M}\p{Nd}_·・\u200c]|[\ufe00-\ufe0f\u20e3]/gu
const LATIN_WITH_MARKS = /(\p{sc=Latin})\p{M}+/gu

// Latin letters with a stroke or hook, which Unicode does not decompose.
const STROKED: Readonly<Record<string, string>> = {
  ø: 'o',
  đ: 'd',
  ð: 'd',
  ł: 'l',
  ħ: 'h',
  ŧ: 't',
  ı: 'i',
  ŋ: 'n',
  ĸ: 'k',
  ɨ: 'i',
  ƀ: 'b',
  ɓ: 'b',
  ɗ: 'd',
  ƙ: 'k',
}

/**
 * Normal form of a tag name (without `#`): NFKC, lower case, Latin diacritics folded to ASCII. Characters other than
 * letters, marks, digits, `_`, `·`, `・` and ZWNJ are removed. Returns an empty text if no letter is left. Normalising a
 * normalised tag changes nothing.
 *
 * @example normaliseTag('Café') // 'cafe'
 */
export function normaliseTag(name: string): string {
  if (ASCII_NAME.test(name)) return /[A-Za-z]/.test(name) ? name.toLowerCase() : ''
  const compatible = name.toWellFormed().normalize('NFKC').toLowerCase().normalize('NFKC').replace(DROPPED, '')
  const folded = compatible.normalize('NFD').replace(LATIN_WITH_MARKS, '$1').normalize('NFC')
  const plain = folded.replace(/[øđðłħŧıŋĸɨƀɓɗƙ]/g, (letter) => STROKED[letter]!)
  return /\p{L}/u.test(plain) ? plain : ''
}

/**
 * Whether a name (without `#`) is a valid hashtag.
 *
 * @example isValidTag('2024') // false
 */
export const isValidTag = (name: string): boolean => readTag(name, 0) === name.length && normaliseTag(name) !== ''

/**
 * Offset after the tag name that starts at `from`: word characters of any script, with `·`, `・` and ZWNJ inside, and at
 * least one letter. Returns `from` if there is no name. Returns the negative offset after the characters read if they
 * are not a valid name, such as a number.
 */
export function readTag(text: string, from: number): number {
  let end = from
  let hasLetter = false
  for (let at = from; at < text.length; ) {
    const codePoint = codePointAt(text, at)
    const word = isWord(codePoint)
    if (!word && (at === from || !SEPARATORS.has(codePoint))) break
    at += unitsOf(codePoint)
    if (word) end = at
    hasLetter ||= word && isLetter(codePoint)
  }
  return hasLetter && end - from <= MAX_TAG ? end : -end
}
