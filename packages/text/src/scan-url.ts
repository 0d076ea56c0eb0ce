/** Finds links with an explicit scheme in plain text. */
import { codePointAt, isAlphanumeric } from './character.js'
import { readHost } from './scan-host.js'
import { readTail } from './scan-url-tail.js'
import type { Match, Matcher, UrlToken } from './token.js'

const MAX_URL = 4096

const HIERARCHICAL = /(?:(https?)|dat|dweb|ipfs|ipns|ssb|gopher|gemini):\/\//iy
/** Matches keys and hashes, which links of some schemes have instead of a host. They are longer than domain labels. */
const CONTENT_NAME = /[\w.~-]{1,512}/y

/**
 * Matches `https://host…` and the other schemes that Mastodon links, `xmpp:user@host…` or `magnet:?…`, unless it
 * follows an ASCII letter or digit, `@`, `$` or `#`.
 */
export const matchUrl: Matcher<UrlToken> = (text, start) => {
  if (start > 0 && blocks(text.charCodeAt(start - 1))) return undefined
  HIERARCHICAL.lastIndex = start
  const found = HIERARCHICAL.exec(text)
  if (found) return hierarchical(text, start, start + found[0].length, found[1] !== undefined)
  const head = text.slice(start, start + 8).toLowerCase()
  if (head.startsWith('xmpp:')) return xmpp(text, start)
  return head.startsWith('magnet:?') ? magnet(text, start) : undefined
}

const blocks = (code: number): boolean =>
  isAlphanumeric(code) || code === 0x40 || code === 0x24 || code === 0x23 || code === 0xff20 || code === 0xff03

function hierarchical(text: string, start: number, from: number, isWeb: boolean): Match<UrlToken> {
  const host = readHost(text, from)
  if (host.domain === null && !isWeb) return content(text, start, from)
  if (host.domain === null) return { end: Math.max(host.read, from) }
  const port = /^:\d{1,5}(?!\d)/.exec(text.slice(host.end, host.end + 7))
  const end = host.end + (port?.[0].length ?? 0)
  return linked(text, start, '/?#'.includes(text.charAt(end) || ' ') ? readTail(text, end) : end, isWeb)
}

function content(text: string, start: number, from: number): Match<UrlToken> {
  CONTENT_NAME.lastIndex = from
  const name = CONTENT_NAME.exec(text)?.[0].replace(/[.~-]+$/, '') ?? ''
  if (name === '') return { end: from }
  const end = from + name.length
  return linked(text, start, '/?#'.includes(text.charAt(end) || ' ') ? readTail(text, end) : end, false)
}

function magnet(text: string, start: number): Match<UrlToken> {
  const from = start + 8
  const end = readTail(text, from)
  return end > from ? linked(text, start, end, false) : { end: from }
}

function xmpp(text: string, start: number): Match<UrlToken> {
  const from = start + 5
  let at = from
  while (at < text.length && at - from < 1024 && isXmppName(codePointAt(text, at))) at++
  if (at === from || text.charAt(at) !== '@') return { end: at }
  const host = readHost(text, at + 1)
  if (host.domain === null) return { end: Math.max(host.read, at) }
  const tail = '/?'.includes(text.charAt(host.end) || ' ') ? readTail(text, host.end) : host.end
  return linked(text, start, tail, false)
}

const isXmppName = (code: number): boolean => isAlphanumeric(code) || '._-+%!~'.includes(String.fromCodePoint(code))

function linked(text: string, start: number, end: number, isWeb: boolean): Match<UrlToken> {
  const url = text.slice(start, end)
  if (url.length > MAX_URL || !URL.canParse(url)) return { end }
  return { end, token: { kind: 'url', start, end, url, web: isWeb } }
}
