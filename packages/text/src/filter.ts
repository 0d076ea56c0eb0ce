/** Keyword filters: finds for each of many filters its first match, in one reading of the text however many there are. */
import { codePointAt, codePointBefore, isWord } from './character.js'
import { buildPhrases, type Kind, type Phrases } from './filter-phrases.js'

/** A phrase to look for, as its owner typed it; `wholeWord` forbids word characters around it. */
export type FilterKeyword = { id: string; keyword: string; wholeWord: boolean }

/** A match: the id of the keyword, and the matching text as written in the status. */
export type FilterMatch = { id: string; keyword: string }

/**
 * A function that finds for each filter, given as its keywords, the leftmost match of any of them, the earlier keyword
 * when two start at the same place; null for filters without a match. Case does not matter, in any script. A word
 * boundary is asked only where the phrase itself begins or ends with a word character. Nothing in a keyword has a special
 * meaning; empty keywords match nothing.
 *
 * @example compileFilters([[{ id: '1', keyword: 'C++', wholeWord: true }]])('I like c++.') // [{ id: '1', keyword: 'c++' }]
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

/** One form for all cases, with the same length in UTF-16 units as the text. */
const fold = (text: string): string => text.replaceAll('İ', 'i').toLowerCase().replaceAll('ς', 'σ').replaceAll('ſ', 's')

/** Owner of a phrase: index of the filter, and of the keyword in it. */
type Owner = { filter: number; order: number }
type Found = { order: number; start: number; end: number }

/** Each phrase once, with all keywords that contain it. */
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
