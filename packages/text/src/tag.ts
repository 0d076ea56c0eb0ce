/** Hashtag names: what may be one, and the one form in which they are stored, compared and subscribed to. */
import { codePointAt, isLetter, isWord, unitsOf } from './character.js'

/** Longest tag, in UTF-16 units: as long as the longest status written here. */
const MAX_TAG = 500

const SEPARATORS = new Set([0xb7, 0x30fb, 0x200c])
const ASCII_NAME = /^[A-Za-z0-9_]*$/
const DROPPED = /[^\p{L}\p{M}\p{Nd}_·・\u200c]/gu
const LATIN_WITH_MARKS = /(\p{sc=Latin})\p{M}+/gu

// Latin letters with a stroke or a hook, which no decomposition takes apart.
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
 * The normalised name of a tag (without `#`): NFKC, lower case, Latin diacritics folded to ASCII, everything but
 * letters, marks, digits, `_`, `·`, `・` and ZWNJ dropped; empty when no letter is left. Idempotent.
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
 * Whether a name (without `#`) could be typed as a hashtag.
 *
 * @example isValidTag('2024') // false
 */
export const isValidTag = (name: string): boolean => readTag(name, 0) === name.length && normaliseTag(name) !== ''

/**
 * Where the tag name that starts at an offset ends: word characters of any script with `·`, `・` and ZWNJ inside, at
 * least one letter, so that numbers are no tags. The same offset when there is none; negative, the end of what was read
 * in vain, when it is none after all.
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
