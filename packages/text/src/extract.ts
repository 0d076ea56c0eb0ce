/** Mentions, hashtags, links and custom emoji of a plain text, each as a list in order of appearance. */

import { handleKey } from './handle.js'
import { scan } from './scan.js'
import type { MentionToken, UrlToken } from './token.js'

/** Every mention with its place, also repeated ones; `domain` is in ASCII form. */
export const mentionsIn = (text: string): MentionToken[] =>
  text.includes('@') ? scan(text).filter((token) => token.kind === 'mention') : []

/** Every web link (http, https) with its place. */
export const urlsIn = (text: string): UrlToken[] =>
  text.includes('://') ? (scan(text).filter((token) => token.kind === 'url' && token.web) as UrlToken[]) : []

/** Every tag once, by normalised name, with the first spelling used. */
export function hashtagsIn(text: string): { name: string; display: string }[] {
  const found = new Map<string, string>()
  for (const token of scan(text)) {
    if (token.kind === 'hashtag' && !found.has(token.name)) found.set(token.name, token.display)
  }
  return Array.from(found, ([name, display]) => ({ name, display }))
}

/** Every custom emoji shortcode once, without colons. Takes plain text: in HTML, attributes hold colons too. */
export const shortcodesIn = (text: string): string[] => [
  ...new Set(scan(text).flatMap((token) => (token.kind === 'shortcode' ? [token.shortcode] : []))),
]

/**
 * A text with its mentions rewritten to canonical handles; mentions of nobody known stay as typed.
 *
 * @param accts canonical handle (`bob` or `bob@far.example`) by `handleKey`
 */
export function rewriteMentions(text: string, accts: ReadonlyMap<string, string>, localDomain: string): string {
  if (!text.includes('@')) return text
  const parts = scan(text).map((token) => {
    const acct = token.kind === 'mention' ? accts.get(handleKey(token, localDomain)) : undefined
    return acct === undefined ? text.slice(token.start, token.end) : `@${acct}`
  })
  return parts.join('')
}
