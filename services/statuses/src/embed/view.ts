/** Builds oEmbed documents, whose iframe contains the page that shows only the status. */
import type { Account, OEmbed } from '@murmuration/contracts/entities'
import { scalarText } from '@murmuration/contracts/kit'
import { escapeHtml } from '@murmuration/text'

/** Width of an embed in pixels if the request names none. */
const WIDTH = 400
const MAX_PIXELS = 10_000
const DAY_S = 86_400

/** Requested width or height of an embed in pixels, at most 10,000; null if invalid. */
const sideOf = (given: unknown): number | null => {
  const n = Number.parseInt(scalarText(given), 10)
  return Number.isNaN(n) || n < 1 ? null : Math.min(n, MAX_PIXELS)
}

export interface Size {
  maxwidth?: unknown
  maxheight?: unknown
}

/** Address of the page that shows only the status. */
export const embedUrl = (statusUrl: string): string => `${statusUrl}/embed`

/** oEmbed document of a local status whose page is `url`. */
export const oembedOf = (
  url: string,
  author: Account,
  site: { origin: string; webDomain: string },
  size: Size,
): OEmbed => {
  const width = sideOf(size.maxwidth) ?? WIDTH
  const height = sideOf(size.maxheight)
  const name = author.display_name || author.username
  const tall = height === null ? '' : ` height="${height}"`
  return {
    type: 'rich',
    version: '1.0',
    title: `New status by ${name}`,
    author_name: name,
    author_url: author.url,
    provider_name: site.webDomain,
    provider_url: `${site.origin}/`,
    cache_age: DAY_S,
    html: `<iframe src="${escapeHtml(embedUrl(url))}" class="mastodon-embed" style="max-width: 100%; border: 0" width="${width}"${tall} allowfullscreen="allowfullscreen" sandbox="allow-scripts allow-same-origin allow-popups allow-popups-to-escape-sandbox"></iframe>`,
    width,
    height,
  }
}
