/** Reads the page behind a link for its preview card, and its oEmbed document if the page names one. */
import { type Embed, oembedFrame, pageMetadata } from '@murmuration/text'
import { NotVisited, type Web, type WebResponse } from '../core/web.client.js'
import { isOfSite, type OEmbedData, type PreviewData, previewOf } from './rules.js'

const PAGE = { accept: 'text/html, application/xhtml+xml', maxBytes: 524_288, timeoutMs: 10_000 }
const OEMBED = { accept: 'application/json', maxBytes: 262_144, timeoutMs: 5_000 }
const MAX_TEXT = 500
const MAX_HTML = 20_000

const text = (value: unknown, max = MAX_TEXT): string =>
  typeof value === 'string' ? value.replaceAll('\u0000', '').trim().slice(0, max).toWellFormed() : ''

const webAddress = (value: unknown, base: string): string => {
  const url = text(value, 2_692) === '' ? null : URL.parse(text(value, 2_692), base)
  return url && (url.protocol === 'https:' || url.protocol === 'http:') && url.username === '' ? url.href : ''
}

const side = (value: unknown): number => {
  const n = Math.floor(Number(value))
  return Number.isFinite(n) && n > 0 && n <= 10_000 ? n : 0
}

/** Parses an oEmbed document. Returns null if the document is invalid or of a type that is not shown. */
export const readOEmbed = (json: string, base: string): OEmbedData | null => {
  let document: Record<string, unknown>
  try {
    const parsed: unknown = JSON.parse(json)
    if (typeof parsed !== 'object' || parsed === null) return null
    document = parsed as Record<string, unknown>
  } catch {
    return null
  }
  const { type } = document
  if (type !== 'link' && type !== 'photo' && type !== 'video') return null
  return {
    type,
    title: text(document.title),
    authorName: text(document.author_name),
    authorUrl: webAddress(document.author_url, base),
    providerName: text(document.provider_name),
    providerUrl: webAddress(document.provider_url, base),
    html: text(document.html, MAX_HTML),
    url: webAddress(document.url, base),
    thumbnail: webAddress(document.thumbnail_url, base),
    width: side(document.width),
    height: side(document.height),
  }
}

/** Reads an oEmbed document. Null on any failure, because the page can be shown without it. */
const oembedAt = async (web: Web, address: string | null): Promise<OEmbedData | null> => {
  if (address === null) return null
  try {
    const response = await web.read(address, OEMBED)
    return response.status === 200 ? readOEmbed(response.text, response.url) : null
  } catch {
    return null
  }
}

/** Reads the page at an address. Returns null if the address, or a redirect, leads to a server that staff blocked. */
const pageAt = (web: Web, url: string): Promise<WebResponse | null> =>
  web.read(url, PAGE).catch((error: unknown) => {
    if (error instanceof NotVisited) return null
    throw error
  })

/** Preview of the page at an address; null if there is nothing to show. Rejects if the page could not be read. */
export const readPage = async (web: Web, url: string, isOurs: (url: URL) => boolean): Promise<PreviewData | null> => {
  const response = await pageAt(web, url)
  if (response === null || response.status !== 200 || !/^(?:text\/html|application\/xhtml\+xml)$/.test(response.type))
    return null
  // A redirect may lead back to this server, whose own pages get no preview card.
  if (isOurs(new URL(response.url))) return null
  const page = pageMetadata(response.text, response.url)
  return previewOf(page, await oembedAt(web, page.oembed), response.url)
}

/** Embed frame that the server of a status offers for other pages; null if it offers none. */
export const readEmbed = async (web: Web, url: string): Promise<Embed | null> => {
  const page = await web.read(url, PAGE)
  const address = page.status === 200 ? pageMetadata(page.text, page.url).oembed : null
  if (address === null) return null
  const response = await web.read(address, OEMBED)
  const document: unknown = response.status === 200 ? JSON.parse(response.text) : null
  const html = text((document as { html?: unknown } | null)?.html, MAX_HTML)
  return oembedFrame(html, (host) => isOfSite(host, new URL(url).hostname))
}
