/** Lists the mentions, hashtags, links and custom emoji of a plain text, in order. */

import { handleKey } from './handle.js'
import { scan } from './scan.js'
import type { MentionToken, UrlToken } from './token.js'

/** All mentions with their offsets, including repeated ones. `domain` is in ASCII form. */
export const mentionsIn = (text: string): MentionToken[] =>
  text.includes('@') ? scan(text).filter((token) => token.kind === 'mention') : []

/** All web links (http, https) with their offsets. */
export const urlsIn = (text: string): UrlToken[] =>
  text.includes('://') ? (scan(text).filter((token) => token.kind === 'url' && token.web) as UrlToken[]) : []

/** Distinct hashtags by normalised name, each with its first spelling. */
export function hashtagsIn(text: string): { name: string; display: string }[] {
  const found = new Map<string, string>()
  for (const token of scan(text)) {
    if (token.kind === 'hashtag' && !found.has(token.name)) found.set(token.name, token.display)
  }
  return Array.from(found, ([name, display]) => ({ name, display }))
}

/**
 * Distinct custom emoji shortcodes, without colons. Shortcodes are found in plain text only, because attributes of HTML
 * contain colons too.
 */
export const shortcodesIn = (text: string): string[] => [
  ...new Set(scan(text).flatMap((token) => (token.kind === 'shortcode' ? [token.shortcode] : []))),
]

/**
 * Rewrites mentions in a text to canonical handles. Mentions that are not in `accts` stay as typed.
 *
 * @param accts canonical handle (`bob` or `bob@far.example`) by `handleKey`
 * @param handleDomains domains in handles of local accounts, as for `handleKey`
 */
export function rewriteMentions(
  text: string,
  accts: ReadonlyMap<string, string>,
  handleDomains: ReadonlySet<string>,
): string {
  if (!text.includes('@')) return text
  const parts = scan(text).map((token) => {
    const acct = token.kind === 'mention' ? accts.get(handleKey(token, handleDomains)) : undefined
    return acct === undefined ? text.slice(token.start, token.end) : `@${acct}`
  })
  return parts.join('')
}
