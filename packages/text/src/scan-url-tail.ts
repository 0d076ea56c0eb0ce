/** Reads the part of a link after its host, without the punctuation of the surrounding sentence. */
import { codePointAt, unitsOf } from './character.js'

const CLOSERS: Readonly<Record<string, string>> = {
  '(': ')',
  '[': ']',
  '{': '}',
  '（': '）',
  '「': '」',
  '『': '』',
  '【': '】',
  '《': '》',
  '〈': '〉',
  '“': '”',
  '‘': '’',
  '«': '»',
}
const CLOSING = new Set(Object.values(CLOSERS))

// Characters that end a link: white space, controls, zero-width space, directional controls, and others that are never
// typed in links.
const STOP = /[\s\p{Cc}\u200b\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff<>"`\\\p{Cs}]/u
const TRAILING = new Set(".,:;!?'*~|@$%。、，．！？：；…")

/**
 * Offset after path, query and fragment. Brackets belong to the link only in pairs, so `(https://example.com/a_(b))`
 * ends before the outer bracket.
 */
export function readTail(text: string, from: number): number {
  const open: string[] = []
  let at = from
  while (at < text.length) {
    const codePoint = codePointAt(text, at)
    const char = String.fromCodePoint(codePoint)
    if (STOP.test(char)) break
    if (CLOSING.has(char) && open.pop() !== char) break
    const closer = CLOSERS[char]
    if (closer !== undefined) open.push(closer)
    at += unitsOf(codePoint)
  }
  return trim(text, from, at)
}

function trim(text: string, from: number, end: number): number {
  let at = end
  while (at > from && (TRAILING.has(text.charAt(at - 1)) || CLOSERS[text.charAt(at - 1)] !== undefined)) at--
  return at
}
