/** Writes `tsvector` and `tsquery` text from terms that this server tokenized, without a parser of the database. */

/** Largest position of a term that PostgreSQL stores in a `tsvector`. */
const LAST_POSITION = 16_383

const quoted = (term: string): string => `'${term.replace(/['\\]/g, '$&$&')}'`

/**
 * Text of a `tsvector`: terms with their positions.
 * @example vectorText(['good', 'morning']) // "'good':1 'morning':2"
 */
export const vectorText = (terms: readonly string[]): string =>
  terms.map((term, i) => `${quoted(term)}:${Math.min(i + 1, LAST_POSITION)}`).join(' ')

/**
 * Text of a `tsquery` for terms that follow each other. A term that ends with `*` is a prefix. A phrase needs at least
 * one term.
 * @example phraseText(['good', 'mor*']) // "'good' <-> 'mor':*"
 */
export const phraseText = (terms: readonly string[]): string =>
  terms.map((term) => (term.endsWith('*') ? `${quoted(term.slice(0, -1))}:*` : quoted(term))).join(' <-> ')

/** Text of a `tsquery` that requires all phrases. At least one phrase is needed. */
export const allPhrasesText = (phrases: readonly (readonly string[])[]): string =>
  phrases.map((terms) => `(${phraseText(terms)})`).join(' & ')
