/** The HTML of a link as the API's clients expect it: the address shortened by hiding, never by changing. */
import { escapeHtml } from './escape.js'

const PREFIX = /^(?:https?:\/\/(?:www\.)?|xmpp:)/i
const SHOWN = 30
const WEB = /^https?:\/\/[^\s\p{Cc}/][^\s\p{Cc}]*$/iu

/**
 * An address that may reach a client as a link: the text itself if it is http or https without white space and
 * control characters, otherwise null.
 *
 * @example webUrl('javascript:alert(1)') // null
 */
export const webUrl = (address: unknown): string | null =>
  typeof address === 'string' && WEB.test(address) && URL.canParse(address) ? address : null

/**
 * A link that shows 30 characters of its address after the scheme; the rest is there, marked `invisible`.
 * One single character is never cut.
 *
 * @param me adds `me` to rel, for profile fields
 */
export function linkHtml(url: string, { me = false }: { me?: boolean } = {}): string {
  const prefix = PREFIX.exec(url)?.[0] ?? ''
  const address = url.slice(prefix.length)
  const cut = cutAfter(address, SHOWN)
  const shown = `<span class="${cut < address.length ? 'ellipsis' : ''}">${escapeHtml(address.slice(0, cut))}</span>`
  return (
    `<a href="${escapeHtml(url)}" target="_blank" rel="nofollow noopener${me ? ' me' : ''}" translate="no">` +
    `<span class="invisible">${escapeHtml(prefix)}</span>${shown}` +
    `<span class="invisible">${escapeHtml(address.slice(cut))}</span></a>`
  )
}

/** The offset after so many code points, or the end when at most one more follows. */
function cutAfter(text: string, codePoints: number): number {
  const points = Array.from(text.slice(0, 2 * (codePoints + 2)))
  return points.length <= codePoints + 1 ? text.length : points.slice(0, codePoints).join('').length
}

const QUOTE_LINE = /<(p|span)\b[^>]*\bclass="(?:[^"]* )?quote-inline(?: [^"]*)?"[^>]*>[\s\S]*?<\/\1>/g

/**
 * The HTML of a status without the line that names the quoted status, for readers that see the quote itself.
 *
 * @example withoutQuoteLine('<p class="quote-inline">RE: …</p><p>Yes</p>') // '<p>Yes</p>'
 */
export const withoutQuoteLine = (html: string): string =>
  html.includes('quote-inline') ? html.replace(QUOTE_LINE, '') : html

/**
 * The `RE:` paragraph before a status that quotes another, for servers without support for quotes. Empty when the text
 * contains the link of the quoted status.
 */
export const quoteInlinePrefix = (url: string, text = ''): string =>
  webUrl(url) === null || text.includes(url) ? '' : `<p class="quote-inline">RE: ${linkHtml(url)}</p>`
