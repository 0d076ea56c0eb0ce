/** Keyword filters: finds the first match of each filter, reading the text once for any number of filters. */
import { codePointAt, codePointBefore, isWord } from './character.js'
import { buildPhrases, type Kind, type Phrases } from './filter-phrases.js'

/** A keyword as typed. `wholeWord`: the match must not be within a word. */
export type FilterKeyword = { id: string; keyword: string; wholeWord: boolean }

/** A match: id of the keyword, and the matching part of the text as written. */
export type FilterMatch = { id: string; keyword: string }

/**
 * Compiles filters, given as lists of keywords. The returned function finds the leftmost match of each filter; null
 * without a match.
 * - Of two keywords that match at the same offset the earlier one is reported.
 * - Case is ignored in all scripts. Keywords have no special syntax. Empty keywords match nothing.
 * - A word boundary is required only where the keyword starts or ends with a word character.
 *
 * @example compileFilters([[{ id: '1', keyword: 'C++', wholeWord: true }]])('I like c++.') // [{ id: '1', keyword:
 * 'c++' }]
 */
export function compileFilters(
  filters: readonly (readonly FilterKeyword[])[],
): (text: string) => (FilterMatch | null)[] {
  const { texts, owners } = distinctPhrases(filters)
  const phrases = buildPhrases(texts)
  return (text) =>
    search(phrases, owners, fold(text), filters.length).map((found, filter) =>
      found ? { id: filters[filter]![found.order]!.id, keyword: text.slice(found.start, found.end) } : null,
    )
}

/** Folds case without changing the length in UTF-16 units. */
const fold = (text: string): string => text.replaceAll('İ', 'i').toLowerCase().replaceAll('ς', 'σ').replaceAll('ſ', 's')

/** Keyword that contains a phrase: index of the filter, and index of the keyword in the filter. */
type Owner = { filter: number; order: number }
type Found = { order: number; start: number; end: number }

/** Distinct phrases to search, each with all keywords that have this text. */
function distinctPhrases(filters: readonly (readonly FilterKeyword[])[]) {
  const places = new Map<string, number>()
  const texts: { text: string; wholeWord: boolean }[] = []
  const owners: Owner[][] = []
  filters.forEach((keywords, filter) => {
    keywords.forEach(({ keyword, wholeWord }, order) => {
      const text = fold(keyword.trim())
      const name = `${wholeWord} ${text}`
      const place = places.get(name) ?? texts.push({ text, wholeWord }) - 1
      places.set(name, place)
      owners[place] ??= []
      owners[place].push({ filter, order })
    })
  })
  return { texts, owners }
}

function search(
  phrases: Phrases,
  owners: readonly (readonly Owner[])[],
  text: string,
  filters: number,
): (Found | null)[] {
  const best: (Found | null)[] = Array.from({ length: filters }, () => null)
  const note = (kind: Kind, hit: number, start: number, end: number) => {
    for (const { filter, order } of owners[phrases.phraseAt(kind, hit)]!) {
      const known = best[filter]
      if (!known || start < known.start || (start === known.start && order < known.order))
        best[filter] = { order, start, end }
    }
  }
  let node = 0
  for (let at = 0; at < text.length; at++) {
    node = phrases.step(node, text.charCodeAt(at))
    const end = at + 1
    for (let hit = phrases.longest('loose', node); hit !== 0; hit = phrases.shorter('loose', hit))
      note('loose', hit, end - phrases.depth(hit), end)
    let whole = phrases.longest('whole', node)
    if (whole === 0 || isInsideWord(text, end)) continue
    for (; whole !== 0; whole = phrases.shorter('whole', whole)) {
      const start = end - phrases.depth(whole)
      if (!isInsideWord(text, start)) note('whole', whole, start, end)
    }
  }
  return best
}

const isInsideWord = (text: string, at: number): boolean =>
  isWord(codePointBefore(text, at)) && isWord(codePointAt(text, at))
