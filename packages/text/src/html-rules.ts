/**
 * The allow-list of the sanitiser: which elements of remote HTML are kept, their replacements, and allowed attributes.
 */
import { escapeAttribute } from './escape.js'
import { type Attributes, attributeOf } from './html-attribute.js'

/** Replacement of an element. `kind` determines the nesting of the replacement, see `sanitise.ts`. */
export type Rule = {
  kind: 'block' | 'item' | 'ruby' | 'inline' | 'void'
  open: (attributes: Attributes) => string
  close: string
}

const SCHEMES = new Set(['http', 'https', 'dat', 'dweb', 'ipfs', 'ipns', 'ssb', 'gopher', 'xmpp', 'magnet', 'gemini'])
const CLASS = /^(?:[hpue]-[\w-]+|dt-[\w-]+|mention|hashtag|ellipsis|invisible|quote-inline)$/
const MAX_CLASS = 64
const MAX_CLASSES = 16
const MAX_HREF = 4096
const INTEGER = /^[+-]?\d{1,9}$/
const LANGUAGE = /^[A-Za-z]{1,8}(?:-[A-Za-z0-9]{1,8}){0,8}$/

/**
 * The address of a remote link, without the white space and control characters that browsers skip. Null for relative
 * and overlong addresses, and for schemes that are not allowed.
 */
export function safeHref(href: string | undefined): string | null {
  const address = trimControls((href ?? '').replace(/[\t\n\r]/g, ''))
  const colon = address.indexOf(':')
  if (colon < 0 || address.length > MAX_HREF || !SCHEMES.has(address.slice(0, colon).toLowerCase())) return null
  // An address without the two slashes, such as `https:page`, is relative to the page, and would lead to the reader's
  // own server.
  if (/^https?:(?!\/\/)/i.test(address)) return null
  return URL.canParse(address) ? address : null
}

/**
 * Removes spaces and control characters at both ends. A regular expression for the same match would take quadratic
 * time.
 */
function trimControls(text: string): string {
  let start = 0
  let end = text.length
  while (start < end && text.charCodeAt(start) <= 0x20) start++
  while (end > start && text.charCodeAt(end - 1) <= 0x20) end--
  return text.slice(start, end)
}

const written = (name: string, value: string | undefined): string =>
  value === undefined ? '' : ` ${name}="${escapeAttribute(value)}"`

const matching = (pattern: RegExp, value: string | undefined): string | undefined =>
  value !== undefined && pattern.test(value.trim()) ? value.trim() : undefined

const lang = (of: Attributes): string => written('lang', matching(LANGUAGE, attributeOf(of, 'lang')))

const translate = (of: Attributes): string =>
  written('translate', matching(/^no$/i, attributeOf(of, 'translate'))?.toLowerCase())

function classes(of: Attributes): string {
  const given = attributeOf(of, 'class')
  const kept = given?.split(/\s+/).filter((name) => name.length <= MAX_CLASS && CLASS.test(name))
  return written('class', kept?.slice(0, MAX_CLASSES).join(' '))
}

function linkAttributes(of: Attributes): string {
  const tag = (attributeOf(of, 'rel') ?? '').split(/\s+/).includes('tag') ? 'tag ' : ''
  const href = written('href', safeHref(attributeOf(of, 'href')) ?? undefined)
  return `${href} target="_blank" rel="${tag}nofollow noopener"${translate(of)}${classes(of)}${lang(of)}`
}

function listAttributes(of: Attributes): string {
  const reversed = attributeOf(of, 'reversed') === undefined ? '' : ' reversed=""'
  return `${written('start', matching(INTEGER, attributeOf(of, 'start')))}${reversed}${lang(of)}`
}

const itemAttributes = (of: Attributes): string =>
  written('value', matching(INTEGER, attributeOf(of, 'value'))) + lang(of)

const rule = (name: string, kind: Rule['kind'], attributes: (of: Attributes) => string = lang): [string, Rule] => [
  name,
  { kind, open: (of) => `<${name}${attributes(of)}>`, close: `</${name}>` },
]

const heading = (name: string): [string, Rule] => [
  name,
  { kind: 'block', open: (of) => `<p${lang(of)}><strong>`, close: '</strong></p>' },
]

/** Rules of all allowed elements, by name. */
export const RULES: ReadonlyMap<string, Rule> = new Map([
  ...['pre', 'blockquote', 'ul'].map((name) => rule(name, 'block')),
  ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map(heading),
  ...['del', 's', 'code', 'b', 'strong', 'u', 'i', 'em', 'ruby'].map((name) => rule(name, 'inline')),
  ...['rt', 'rp'].map((name) => rule(name, 'ruby')),
  rule('p', 'block', (of) => classes(of) + lang(of)),
  rule('ol', 'block', listAttributes),
  rule('li', 'item', itemAttributes),
  rule('a', 'inline', linkAttributes),
  rule('span', 'inline', (of) => classes(of) + translate(of) + lang(of)),
  ['br', { kind: 'void', open: () => '<br />', close: '' }],
])

/**
 * Elements that are removed, but were shown on their own lines. A space replaces such an element, to separate the texts
 * around it.
 */
export const SEPARATING: ReadonlySet<string> = new Set(
  (
    'address article aside body caption center dd details dialog dir div dl dt fieldset figcaption figure footer form ' +
    'header hgroup hr html legend main menu nav option search section select summary table tbody td tfoot th thead title tr'
  ).split(' '),
)
