/** Writes PostgreSQL's text forms of `tsvector` and `tsquery` from terms that were cut here, so that no database parser is involved. */

/** PostgreSQL stores no higher position. */
const LAST_POSITION = 16_383

const quoted = (term: string): string => `'${term.replace(/['\\]/g, '$&$&')}'`

/**
 * Terms with their positions, to cast to `tsvector`.
 *
 * @example vectorText(['good', 'morning']) // "'good':1 'morning':2"
 */
export const vectorText = (terms: readonly string[]): string =>
  terms.map((term, i) => `${quoted(term)}:${Math.min(i + 1, LAST_POSITION)}`).join(' ')

/**
 * Terms that must follow each other, to cast to `tsquery`. A term that ends with `*` is a prefix. At least one term.
 *
 * @example phraseText(['good', 'mor*']) // "'good' <-> 'mor':*"
 */
export const phraseText = (terms: readonly string[]): string =>
  terms.map((term) => (term.endsWith('*') ? `${quoted(term.slice(0, -1))}:*` : quoted(term))).join(' <-> ')

/** Phrases that must all be there, to cast to `tsquery`. At least one phrase. */
export const allPhrasesText = (phrases: readonly (readonly string[])[]): string =>
  phrases.map((terms) => `(${phraseText(terms)})`).join(' & ')
