/** Keyword filters: finds the first of many phrases in a text, in time linear in the text however many there are. */
import { codePointAt, codePointBefore, isWord } from './character.js'
import { buildPhrases, type Phrases } from './filter-phrases.js'

/** A phrase to look for, as its owner typed it; `wholeWord` forbids word characters around it. */
export type FilterKeyword = { id: string; keyword: string; wholeWord: boolean }

/** What was found: the id of the keyword, and the text that matched as it stands in the status. */
export type FilterMatch = { id: string; keyword: string }

/**
 * A function that finds the leftmost match of any keyword, the earlier keyword when two start at the same place.
 * Case does not matter, in any script. A word boundary is asked only where the phrase itself begins or ends with a
 * word character. Nothing in a keyword has a special meaning; empty keywords match nothing.
 *
 * @example compileFilter([{ id: '1', keyword: 'C++', wholeWord: true }])('I like c++.') // { id: '1', keyword: 'c++' }
 */
export function compileFilter(keywords: readonly FilterKeyword[]): (text: string) => FilterMatch | null {
  const phrases = buildPhrases(keywords.map(({ keyword, wholeWord }) => ({ text: fold(keyword.trim()), wholeWord })))
  return (text) => {
    const found = search(phrases, fold(text))
    return found && { id: keywords[found.phrase]!.id, keyword: text.slice(found.start, found.end) }
  }
}

/** One form for all cases, with the same length in UTF-16 units as the text. */
const fold = (text: string): string => text.replaceAll('İ', 'i').toLowerCase().replaceAll('ς', 'σ').replaceAll('ſ', 's')

type Found = { phrase: number; start: number; end: number }

function search(phrases: Phrases, text: string): Found | null {
  let best: Found | null = null
  let node = 0
  for (let at = 0; at < text.length; at++) {
    node = phrases.step(node, text.charCodeAt(at))
    // What is still to come starts where the current node's text starts, or later.
    if (best && at + 1 - phrases.depth(node) > best.start) return best
    const here = earlier(looseEndingAt(phrases, node, at + 1), wholeEndingAt(phrases, node, at + 1, text))
    best = earlier(best, here)
  }
  return best
}

const earlier = (a: Found | null, b: Found | null): Found | null => {
  if (!a || !b) return a ?? b
  return b.start < a.start || (b.start === a.start && b.phrase < a.phrase) ? b : a
}

/** The longest phrase that ends here, which is the one that starts first. */
function looseEndingAt(phrases: Phrases, node: number, end: number): Found | null {
  const hit = phrases.longest('loose', node)
  return hit === 0 ? null : { phrase: phrases.phraseAt('loose', hit), start: end - phrases.depth(hit), end }
}

/** The longest phrase that ends here and is not part of a longer word. */
function wholeEndingAt(phrases: Phrases, node: number, end: number, text: string): Found | null {
  let hit = phrases.longest('whole', node)
  if (hit === 0 || isInsideWord(text, end)) return null
  for (; hit !== 0; hit = phrases.shorter('whole', hit)) {
    const start = end - phrases.depth(hit)
    if (!isInsideWord(text, start)) return { phrase: phrases.phraseAt('whole', hit), start, end }
  }
  return null
}

const isInsideWord = (text: string, at: number): boolean =>
  isWord(codePointBefore(text, at)) && isWord(codePointAt(text, at))
