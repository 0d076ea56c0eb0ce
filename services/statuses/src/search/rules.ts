/**
 * Parser of search queries for statuses: words, phrases, properties, authors, days and scope. Pure, one pass, bounded
 * length.
 */
import { fail } from '@murmuration/contracts/kit'
import { earlierPhraseTerms, normaliseTag, parseHandle, phraseTerms } from '@murmuration/text'
import { startOfDayIn } from './day.rules.js'

/** Maximum characters of a query; the rest is ignored (A141). */
const MAX_LENGTH = 1_000
export const MAX_TERMS = 20

/** An account as a query names it: the viewer, or a handle. */
export type Named = 'me' | { username: string; domain: string | null }

/** Range in milliseconds since 1970: from `from` up to, but not including, `to`; or everything outside. */
export interface Span {
  from: number
  to: number
  not: boolean
}

export interface SearchQuery {
  /**
   * Terms that must be adjacent, separated by spaces. A term that ends with `*` is a prefix. `earlier` has the terms in the
   * form of the release before, if they differ.
   */
  phrases: { words: string; earlier?: string; not: boolean }[]
  /** Properties that the status must have or, with `not`, must not have, in the form that `markOf` returns. */
  marks: { mark: string; not: boolean }[]
  /** Whether the status must have a preview card with a player. */
  embeds: boolean[]
  from: { named: Named; not: boolean }[]
  spans: Span[]
  scope: 'all' | 'library' | 'public'
}

const DAY_MS = 86_400_000
const OPERATOR = /^(from|has|is|language|before|after|during|in):/i

/** Maximum number of terms of one phrase. The database evaluates the terms as a tree. */
const MAX_WORDS = 30
/**
 * Maximum characters of a mark: a word of the search index that stands for a property of the status, not for a word of its
 * text. PostgreSQL refuses words of more than 2,000 bytes.
 */
const MAX_MARK = 500

/** A property as stored among the words of the index. No word of a text starts with `=`, and the mark needs no quoting. */
export const markOf = (kind: 'is' | 'lang' | 'tag', value: string): string =>
  `=${kind}:${value
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}_·・\u200c-]/gu, '')
    .slice(0, MAX_MARK)
    .toWellFormed()}`

const unsupported = () => fail('unprocessable', 'Unprocessable Content')

interface Token {
  not: boolean
  /** Text of the token, without the sign, and for a phrase without the quotes. */
  text: string
  quoted: boolean
}

/** Whether a text is an operator without a value, such as `from:`. */
const isOperator = (text: string): boolean => OPERATOR.exec(text)?.[0] === text

/**
 * Splits a query into tokens: a sign, then a quoted phrase or all characters up to a space. Quotes directly after an
 * operator keep their spaces. A quote within a word is a character like others, as in the Hebrew word ארה"ב.
 */
const tokensOf = (q: string): Token[] => {
  const tokens: Token[] = []
  let at = 0
  while (at < q.length && tokens.length < MAX_TERMS) {
    if (/\s/.test(q[at] ?? '')) {
      at++
      continue
    }
    const not = q[at] === '-'
    if (not || q[at] === '+') at++
    const start = at
    const quoted = q[at] === '"'
    let inside = quoted
    if (quoted) at++
    while (at < q.length && (inside || !/\s/.test(q[at] ?? ''))) {
      const isQuote = q[at] === '"'
      at++
      if (isQuote && quoted) break
      if (isQuote) inside = !inside && isOperator(q.slice(start, at - 1))
    }
    const raw = q.slice(start, at)
    tokens.push({ not, quoted, text: quoted ? raw.replace(/^"|"$/g, '') : raw })
  }
  return tokens
}

const namedOf = (value: string): Named => {
  const bare = value.replace(/^@/, '')
  if (/^(@|$)/.test(bare) || value.includes('"') || bare.split('@').length > 2) throw unsupported()
  if (bare.toLowerCase() === 'me' && bare === value) return 'me'
  const handle = parseHandle(bare)
  if (!handle) throw fail('not_found', 'Not Found')
  return handle
}

/** Start of the day in UTC, in milliseconds since 1970. */
const dayOf = (value: string): number => {
  const at = /^\d{4}-\d\d-\d\d$/.test(value) ? Date.parse(`${value}T00:00:00Z`) : Number.NaN
  // The parser changes an invalid date such as February 30 to a later one. Such a date is refused.
  if (Number.isNaN(at) || new Date(at).toISOString().slice(0, 10) !== value)
    throw fail('unprocessable', 'Invalid date supplied')
  return at
}

const spanOf = (name: string, day: number, not: boolean, startOf: (day: number) => number): Span => {
  if (name === 'before') return { from: 0, to: startOf(day), not }
  const next = startOf(day + DAY_MS)
  if (name === 'after') return { from: next, to: Number.POSITIVE_INFINITY, not }
  return { from: startOf(day), to: next, not }
}

const scopeOf = (value: string, not: boolean): SearchQuery['scope'] => {
  if (not || (value !== 'library' && value !== 'public' && value !== 'all')) throw unsupported()
  return value
}

const addOperator = (
  query: SearchQuery,
  name: string,
  value: string,
  { not, startOf }: { not: boolean; startOf: (day: number) => number },
): void => {
  const plain = value.replaceAll('"', '').trim().toLowerCase()
  if (name === 'from') query.from.push({ named: namedOf(value), not })
  else if (name === 'in') query.scope = scopeOf(plain, not)
  else if (name === 'language') query.marks.push({ mark: markOf('lang', plain), not })
  else if (name !== 'has' && name !== 'is') query.spans.push(spanOf(name, dayOf(plain), not, startOf))
  else if (plain === 'embed') query.embeds.push(!not)
  else query.marks.push({ mark: markOf('is', plain), not })
}

const addWords = (query: SearchQuery, { text, quoted, not }: Token): void => {
  const tag = !quoted && /^[#＃]/.test(text) ? normaliseTag(text.slice(1)) : ''
  const [words = '', earlier = ''] = [phraseTerms(text), earlierPhraseTerms(text)].map((terms) =>
    terms.slice(0, MAX_WORDS).join(' '),
  )
  if (tag !== '') query.marks.push({ mark: markOf('tag', tag), not })
  else if (words !== '') query.phrases.push(earlier === words ? { words, not } : { words, earlier, not })
}

/**
 * Parses the text of a search query. Throws 422 for unsupported operators and invalid dates, 404 for an invalid name
 * after `from:`. All terms must match. The last `in:` applies. Days are days of the time zone `zone`; null means UTC.
 *
 * @example searchQuery('from:@alice -"good night" has:media')
 */
export const searchQuery = (q: string, zone: string | null = null): SearchQuery => {
  const startOf = startOfDayIn(zone)
  const query: SearchQuery = { phrases: [], marks: [], embeds: [], from: [], spans: [], scope: 'all' }
  for (const token of tokensOf(q.slice(0, MAX_LENGTH))) {
    const operator = token.quoted ? null : OPERATOR.exec(token.text)
    if (operator)
      addOperator(query, operator[1]?.toLowerCase() ?? '', token.text.slice(operator[0].length), { ...token, startOf })
    else addWords(query, token)
  }
  return query
}

/** Whether a query has any condition. A query of punctuation only finds nothing. */
export const hasCondition = (query: SearchQuery): boolean =>
  query.phrases.length + query.marks.length + query.embeds.length + query.from.length + query.spans.length > 0 ||
  query.scope !== 'all'
