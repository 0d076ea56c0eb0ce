/** Rules of preview cards: the address of a page, which frames are shown, and how page data becomes a preview card. */
import { escapeHtml, oembedFrame, type PageMetadata, supportedLanguage } from '@murmuration/text'
import type { PreviewType } from '../core/preview-card/store.js'

/** Content of an oEmbed document, with bounded lengths. Texts that the document lacks are empty. */
export interface OEmbedData {
  type: PreviewType
  title: string
  authorName: string
  authorUrl: string
  providerName: string
  providerUrl: string
  /** HTML that embeds a video, as the provider sent it, not sanitised; empty for other types. */
  html: string
  /** Address of a photo; empty for other types. */
  url: string
  thumbnail: string
  width: number
  height: number
}

/** A preview card before it is stored. Empty texts and null mean that the page does not state the value. */
export interface PreviewData {
  url: string
  type: PreviewType
  article: boolean
  title: string
  description: string
  language: string | null
  authorName: string
  authorUrl: string
  providerName: string
  providerUrl: string
  html: string
  width: number
  height: number
  embedUrl: string
  image: string | null
  imageDescription: string
  publishedAt: string | null
  /** The account that the page names as its author, as written. */
  creator: string | null
}

/** Address under which a link is stored: without its fragment. */
export const linkKey = (url: string): string => {
  const key = new URL(url)
  key.hash = ''
  return key.href
}

const bare = (host: string): string => host.replace(/^www\./, '')

/**
 * Whether a host belongs to a site: the same host, a subdomain or a parent domain. Frames of other hosts are not shown
 * (A146).
 */
export const isOfSite = (host: string, site: string): boolean => {
  const [one, other] = [bare(host), bare(site)]
  if (one === other) return true
  const [longer, shorter] = one.length > other.length ? [one, other] : [other, one]
  return shorter.includes('.') && longer.endsWith(`.${shorter}`)
}

/** Address of a page: its canonical address if that is on the same host, otherwise the address where it was read. */
export const canonicalUrl = (page: PageMetadata, readAt: string): string => {
  const { canonical } = page
  return canonical !== null && bare(new URL(canonical).hostname) === bare(new URL(readAt).hostname)
    ? linkKey(canonical)
    : linkKey(readAt)
}

const linkOf = (page: PageMetadata, oembed: OEmbedData | null, readAt: string): PreviewData => ({
  url: canonicalUrl(page, readAt),
  type: 'link',
  article: page.type === 'article',
  title: page.title ?? oembed?.title ?? '',
  description: page.description ?? '',
  language: page.language === null ? null : supportedLanguage(page.language),
  authorName: page.author?.name ?? oembed?.authorName ?? '',
  authorUrl: page.author?.url ?? oembed?.authorUrl ?? '',
  providerName: page.siteName ?? oembed?.providerName ?? '',
  providerUrl: oembed?.providerUrl ?? '',
  html: '',
  width: 0,
  height: 0,
  embedUrl: '',
  image: page.image?.url ?? (oembed?.thumbnail || null),
  imageDescription: page.image?.description ?? '',
  publishedAt: page.publishedAt,
  creator: page.creator,
})

/** Preview card of a page; null if it has no title and no photo or video. */
export const previewOf = (page: PageMetadata, oembed: OEmbedData | null, readAt: string): PreviewData | null => {
  const link = linkOf(page, oembed, readAt)
  if (oembed?.type === 'photo' && oembed.url !== '')
    return {
      ...link,
      type: 'photo',
      title: oembed.title || link.title,
      embedUrl: oembed.url,
      image: oembed.url,
      width: oembed.width,
      height: oembed.height,
    }
  const site = new URL(readAt).hostname
  const admits = (host: string): boolean =>
    isOfSite(host, site) ||
    (oembed !== null && oembed.providerUrl !== '' && isOfSite(host, new URL(oembed.providerUrl).hostname))
  const player = page.player
  const given =
    oembed?.type === 'video'
      ? oembed.html
      : player && `<iframe src="${escapeHtml(player.url)}" width="${player.width}" height="${player.height}"></iframe>`
  const frame = given ? oembedFrame(given, admits) : null
  if (frame)
    return {
      ...link,
      type: 'video',
      title: (oembed?.type === 'video' && oembed.title) || link.title,
      html: frame.html,
      embedUrl: oembed?.type === 'video' ? '' : frame.url,
      width: frame.width || oembed?.width || 0,
      height: frame.height || oembed?.height || 0,
      image: oembed?.type === 'video' && oembed.thumbnail ? oembed.thumbnail : link.image,
    }
  return link.title === '' ? null : link
}

const DAY_MS = 86_400_000

const HOUR_MS = 3_600_000

/** Time until which the stored preview card of a page is valid. */
export const freshUntil = (now: number): Date => new Date(now + 14 * DAY_MS)

/** Time of the next try: an hour after the first failure, four times as long after each further one, at most 14 days. */
export const retryAt = (now: number, failures: number): Date =>
  new Date(now + Math.min(HOUR_MS * 4 ** Math.min(failures, 6), 14 * DAY_MS))
