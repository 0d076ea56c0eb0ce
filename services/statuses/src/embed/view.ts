/** A status as HTML for the pages of others: a frame around the page that shows it alone. */
import type { Account, OEmbed } from '@murmuration/contracts/entities'
import { escapeHtml } from '@murmuration/text'

/** When no width is asked for. */
const WIDTH = 400
const MOST = 10_000
const DAY_S = 86_400

/** A side that somebody asks for, in pixels. */
const sideOf = (given: unknown): number | null => {
  const n = Number.parseInt(String(given ?? ''), 10)
  return Number.isNaN(n) || n < 1 ? null : Math.min(n, MOST)
}

export interface Room {
  maxwidth?: unknown
  maxheight?: unknown
}

/** The address of the page that shows a status alone. */
export const embedUrl = (statusUrl: string): string => `${statusUrl}/embed`

/** The answer for a status of this server, whose page is at `url`. */
export const oembedOf = (
  url: string,
  author: Account,
  site: { origin: string; webDomain: string },
  room: Room,
): OEmbed => {
  const width = sideOf(room.maxwidth) ?? WIDTH
  const height = sideOf(room.maxheight)
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
