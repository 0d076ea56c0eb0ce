/** Reads the metadata in the head of a web page, for preview cards. The values are neither verified nor sanitised. */
import { type Token, Tokenizer, TokenizerMode } from 'parse5'
import { attributeOf } from './html-attribute.js'
import { MAX_HTML } from './html-walk.js'
import { type StructuredData, structuredData } from './page-structured.js'
import { readTime } from './read-time.js'

/** Metadata of a page. Addresses are absolute http(s) URLs; texts are plain and bounded; null means missing. */
export type PageMetadata = {
  title: string | null
  description: string | null
  language: string | null
  /** Canonical address that the page states. */
  canonical: string | null
  siteName: string | null
  /** `og:type`, such as `article`, or `article` by the structured data. */
  type: string | null
  image: { url: string; description: string | null } | null
  /** Player page for a frame, https only, with its size in CSS pixels (0 if not given). */
  player: { url: string; width: number; height: number } | null
  author: { name: string; url: string | null } | null
  publishedAt: string | null
  /** Account that the page names as its author, as written in the page. */
  creator: string | null
  /** Address of the page's oEmbed document. */
  oembed: string | null
}

/** Maximum lengths of texts, in UTF-16 units. */
const MAX_LENGTH = { title: 500, text: 2_000, name: 250, url: 2_692 }
/** Maximum number of `meta` elements of a page that are read. */
const MAX_FIELDS = 400
const MAX_SCRIPT = 65_536

type Found = { meta: Map<string, string>; links: Map<string, string>; title: string; lang: string; scripts: string[] }

const collapse = (text: string, max: number): string | null => {
  const line = text.replace(/\s+/g, ' ').trim().slice(0, max).trim()
  return line === '' ? null : line.toWellFormed()
}

/** A web address, resolved against the address of the page; null if invalid. */
const absolute = (address: string | undefined, base: string): string | null => {
  const url = address === undefined || address.trim() === '' ? null : URL.parse(address.trim(), base)
  const isWeb = url?.protocol === 'https:' || url?.protocol === 'http:'
  return url && isWeb && url.username === '' && url.password === '' && url.href.length <= MAX_LENGTH.url
    ? url.href
    : null
}

const noteMeta = (found: Found, tag: Token.TagToken): void => {
  const name =
    attributeOf(tag.attrs, 'property') ?? attributeOf(tag.attrs, 'name') ?? attributeOf(tag.attrs, 'itemprop')
  const content = attributeOf(tag.attrs, 'content')
  if (!name || !content || found.meta.size >= MAX_FIELDS) return
  const key = name.trim().toLowerCase()
  if (key.length <= 60 && !found.meta.has(key)) found.meta.set(key, content.slice(0, 4_000))
}

const noteLink = (found: Found, tag: Token.TagToken): void => {
  const rel = (attributeOf(tag.attrs, 'rel') ?? '').toLowerCase().split(/\s+/)
  const href = attributeOf(tag.attrs, 'href')
  if (!href) return
  const type = (attributeOf(tag.attrs, 'type') ?? '').toLowerCase()
  if (rel.includes('canonical') && !found.links.has('canonical')) found.links.set('canonical', href)
  if (rel.includes('alternate') && type === 'application/json+oembed' && !found.links.has('oembed'))
    found.links.set('oembed', href)
}

/** Elements that contain text without markup. */
const TEXTUAL: Readonly<Record<string, Tokenizer['state']>> = {
  script: TokenizerMode.SCRIPT_DATA,
  style: TokenizerMode.RAWTEXT,
  noscript: TokenizerMode.RAWTEXT,
  iframe: TokenizerMode.RAWTEXT,
  title: TokenizerMode.RCDATA,
  textarea: TokenizerMode.RCDATA,
}

/**
 * Reads the page in one pass. Only the tokenizer of the HTML parser is used, because a tree can be far larger than the
 * text.
 */
const scanPage = (html: string): Found => {
  const found: Found = { meta: new Map(), links: new Map(), title: '', lang: '', scripts: [] }
  let inside: 'title' | 'data' | 'other' | null = null
  const text = (token: Token.CharacterToken) => {
    if (inside === 'title' && found.title.length < MAX_LENGTH.title) found.title += token.chars
    const last = found.scripts.length - 1
    if (inside === 'data' && (found.scripts[last]?.length ?? MAX_SCRIPT) < MAX_SCRIPT)
      found.scripts[last] += token.chars
  }
  const open = (tag: Token.TagToken) => {
    if (tag.tagName === 'html') found.lang ||= attributeOf(tag.attrs, 'lang') ?? ''
    if (tag.tagName === 'meta') noteMeta(found, tag)
    if (tag.tagName === 'link') noteLink(found, tag)
    const state = Object.hasOwn(TEXTUAL, tag.tagName) ? TEXTUAL[tag.tagName] : undefined
    if (state === undefined) return
    const isData = tag.tagName === 'script' && attributeOf(tag.attrs, 'type')?.toLowerCase() === 'application/ld+json'
    inside =
      tag.tagName === 'title' && found.title === '' ? 'title' : isData && found.scripts.length < 5 ? 'data' : 'other'
    if (inside === 'data') found.scripts.push('')
    tokenizer.state = state
  }
  const tokenizer = new Tokenizer(
    {},
    {
      onStartTag: open,
      onEndTag: () => {
        inside = null
      },
      onCharacter: text,
      onWhitespaceCharacter: text,
      onNullCharacter: () => {},
      onComment: () => {},
      onDoctype: () => {},
      onEof: () => {},
    },
  )
  tokenizer.write(html.slice(0, MAX_HTML).toWellFormed(), true)
  return found
}

const side = (value: string | undefined): number => (/^\d{1,4}$/.test(value ?? '') ? Number(value) : 0)

const playerOf = (meta: ReadonlyMap<string, string>, base: string): PageMetadata['player'] => {
  const isPage = (meta.get('og:video:type') ?? 'text/html').startsWith('text/html')
  const named = isPage
    ? (meta.get('og:video:secure_url') ?? meta.get('og:video:url') ?? meta.get('og:video'))
    : undefined
  const url = absolute(meta.get('twitter:player') ?? named, base)
  if (!url?.startsWith('https:')) return null
  const width = side(meta.get('twitter:player:width') ?? meta.get('og:video:width'))
  const height = side(meta.get('twitter:player:height') ?? meta.get('og:video:height'))
  return { url, width, height }
}

const imageOf = (meta: ReadonlyMap<string, string>, data: StructuredData, base: string): PageMetadata['image'] => {
  const named = meta.get('og:image:secure_url') ?? meta.get('og:image:url') ?? meta.get('og:image')
  const url = absolute(named ?? meta.get('twitter:image') ?? data.image ?? undefined, base)
  const description = meta.get('og:image:alt') ?? meta.get('twitter:image:alt') ?? ''
  return url === null ? null : { url, description: collapse(description, MAX_LENGTH.text) }
}

const authorOf = (meta: ReadonlyMap<string, string>, data: StructuredData, base: string): PageMetadata['author'] => {
  const name = collapse(data.author?.name ?? meta.get('author') ?? meta.get('article:author') ?? '', MAX_LENGTH.name)
  const url = absolute(data.author?.url ?? undefined, base)
  if (name === null) return null
  // Some pages state a profile address instead of a name. The host of the address is then the name.
  const named = /^https?:\/\//i.test(name) ? absolute(name, base) : null
  return named === null ? { name, url } : { name: new URL(named).hostname, url: named }
}

const timeOf = (text: string | undefined): string | null => {
  const at = text === undefined ? Number.NaN : readTime(text)
  return Number.isNaN(at) || at < 0 || at > 8.64e15 ? null : new Date(at).toISOString()
}

/**
 * Metadata of a page. Reads the first 256 kB, in linear time; never throws.
 *
 * @param base address from which the page was read
 */
export function pageMetadata(html: string, base: string): PageMetadata {
  const { meta, links, title, lang, scripts } = scanPage(html)
  const data = structuredData(scripts)
  const first = (...texts: (string | null | undefined)[]): string => texts.find((text) => text?.trim()) ?? ''
  return {
    title: collapse(first(data.title, meta.get('og:title'), meta.get('twitter:title'), title), MAX_LENGTH.title),
    description: collapse(
      first(data.description, meta.get('og:description'), meta.get('twitter:description'), meta.get('description')),
      MAX_LENGTH.text,
    ),
    language: collapse(first(data.language, meta.get('og:locale')?.replace('_', '-'), lang), 20),
    canonical: absolute(links.get('canonical') ?? meta.get('og:url'), base),
    siteName: collapse(first(data.publisher, meta.get('og:site_name')), MAX_LENGTH.name),
    type: collapse(first(data.isArticle ? 'article' : null, meta.get('og:type')), 40)?.toLowerCase() ?? null,
    image: imageOf(meta, data, base),
    player: playerOf(meta, base),
    author: authorOf(meta, data, base),
    publishedAt: timeOf(first(data.publishedAt, meta.get('article:published_time')) || undefined),
    creator: collapse(meta.get('fediverse:creator') ?? '', MAX_LENGTH.name),
    oembed: absolute(links.get('oembed'), base),
  }
}
