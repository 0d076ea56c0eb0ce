/** Text as the words that are searched for: the same for what is stored and what is asked, whatever the language. Pure. */

/** Longer texts are found by their beginning. */
const MAX_TEXT = 20_000
const segments = new Intl.Segmenter('en', { granularity: 'word' })
const MARKS = /[\u0300-\u036f]+/g
/** Signs that may stand inside of a word; names of hosts and contractions are found by their parts. */
const INSIDE = /[.:'’_·]/g

/**
 * Lower case words with single spaces between them, diacritics folded; languages that write without spaces are cut by
 * their dictionaries.
 *
 * @example searchWords('Café, 東京都!') // 'cafe 東京 都'
 */
export const searchWords = (text: string): string => {
  const apart = text.slice(0, MAX_TEXT).toWellFormed().normalize('NFKD').replace(MARKS, '')
  // Some characters come apart into many.
  const folded = apart.slice(0, MAX_TEXT).toWellFormed().normalize('NFC').toLowerCase().replace(INSIDE, ' ')
  const words: string[] = []
  for (const { segment, isWordLike } of segments.segment(folded)) if (isWordLike) words.push(segment)
  return words.join(' ')
}
