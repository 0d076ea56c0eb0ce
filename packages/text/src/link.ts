/**
 * HTML of a link as clients of the API expect it. A long address is shortened by hiding parts, never by changing it.
 */
import { domainToUnicode } from 'node:url'
import { escapeHtml } from './escape.js'
import { attributeOf } from './html-attribute.js'
import { walkHtml } from './html-walk.js'

const PREFIX = /^(?:https?:\/\/(?:www\.)?|xmpp:)/i
const SHOWN = 30
const WEB = /^https?:\/\/[^\s\p{Cc}/][^\s\p{Cc}]*$/iu

/**
 * The address if it may be shown as a link: http or https without white space and control characters; otherwise null.
 *
 * @example webUrl('javascript:alert(1)') // null
 */
export const webUrl = (address: unknown): string | null =>
  typeof address === 'string' && WEB.test(address) && URL.canParse(address) ? address : null

/**
 * A link that shows 30 characters of its address after the scheme. The other parts of the address are in elements of
 * the class `invisible`. If only one further character remains, the whole address is shown.
 *
 * @param me adds `me` to `rel`, for profile fields
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

/**
 * Offset after the first `codePoints` code points of a text; the end of the text if at most one further code point
 * follows.
 */
function cutAfter(text: string, codePoints: number): number {
  const points = Array.from(text.slice(0, 2 * (codePoints + 2)))
  return points.length <= codePoints + 1 ? text.length : points.slice(0, codePoints).join('').length
}

const QUOTE_LINE = /<(p|span)\b[^>]*\bclass="(?:[^"]* )?quote-inline(?: [^"]*)?"[^>]*>/

/**
 * Offset after the end tag of an element whose content begins at `start`; null without an end tag. Elements of the same
 * name may be nested in it.
 */
function endOf(html: string, name: string, start: number): number | null {
  const tag = new RegExp(`<(/?)${name}\\b[^>]*>`, 'g')
  tag.lastIndex = start
  let depth = 1
  for (let found = tag.exec(html); found !== null; found = tag.exec(html)) {
    depth += found[1] === '' ? 1 : -1
    if (depth === 0) return tag.lastIndex
  }
  return null
}

/** Host of an address in Unicode, and the text after it. The scheme and `www.` are left out, because links hide them. */
function partsOf(address: string): { host: string; rest: string } {
  const shown = address.replace(/^(?:https?:\/\/)?(?:www\.)?/i, '')
  const end = shown.search(/[/\\?#]|$/)
  const host = shown.slice(0, end)
  return { host: domainToUnicode(host) || host, rest: decoded(shown.slice(end)) }
}

/** A text without percent-encoding; the text itself if the encoding is not valid. */
function decoded(text: string): string {
  try {
    return decodeURI(text)
  } catch {
    return text
  }
}

/** Whether a text is the beginning of an address with its host. A text that ends with … may be a part of the host. */
function showsAddress(text: string, href: string): boolean {
  const kept = text.replace(/(?:…|\.{3})$/, '')
  const shown = partsOf(kept)
  const address = partsOf(href)
  const isCutInHost = kept !== text && shown.rest === ''
  return (
    (isCutInHost ? address.host.startsWith(shown.host) : address.host === shown.host) &&
    address.rest.startsWith(shown.rest)
  )
}

/** Whether the content of an element is a label, `RE:` or `QT:`, and one link that shows its own address. */
function isQuoteLine(html: string): boolean {
  const texts = { before: '', link: '', after: '' }
  let place: keyof typeof texts = 'before'
  let links = 0
  let href = ''
  walkHtml(html, {
    open(name, attributes) {
      if (name !== 'a') return
      links++
      place = 'link'
      href = attributeOf(attributes, 'href') ?? ''
    },
    close(name) {
      if (name === 'a' && links > 0) place = 'after'
    },
    text(text) {
      texts[place] += text
    },
  })
  return (
    links === 1 &&
    /^\s*(?:RE|QT)\s*:\s*\[?\s*$/i.test(texts.before) &&
    /^\s*\]?\s*$/.test(texts.after) &&
    showsAddress(texts.link.trim(), href)
  )
}

/**
 * HTML of a status without the line that links the quoted status, for clients that show the quote. Other text of an
 * element with the class `quote-inline` stays, because its author wrote it.
 *
 * @example withoutQuoteLine('<p class="quote-inline">RE: <a href="https://a.example/1">…</a></p><p>Yes</p>') // '<p>Yes</p>'
 */
export function withoutQuoteLine(html: string): string {
  let kept = ''
  let rest = html
  for (let line = QUOTE_LINE.exec(rest); line !== null; line = QUOTE_LINE.exec(rest)) {
    const start = line.index + line[0].length
    const end = endOf(rest, line[1] as string, start)
    if (end === null) break
    kept += rest.slice(0, isQuoteLine(rest.slice(start, end)) ? line.index : end)
    rest = rest.slice(end)
  }
  return kept + rest
}

/**
 * The paragraph `RE: <link of the quoted status>`, which servers without quotes show before the text of a quoting
 * status. Empty if the text contains the link.
 */
export const quoteInlinePrefix = (url: string, text = ''): string =>
  webUrl(url) === null || text.includes(url) ? '' : `<p class="quote-inline">RE: ${linkHtml(url)}</p>`
