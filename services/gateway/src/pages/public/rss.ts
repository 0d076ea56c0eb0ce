/** RSS 2.0 feeds of public statuses. */
import type { ServerResponse } from 'node:http'
import type { MediaAttachment, Status } from '@murmuration/contracts/entities'
import { escapeHtml, readTime } from '@murmuration/text'
import type { Context } from '../../context.js'
import { guardHeaders } from '../../edge/response/headers.js'
import { type Html, html } from '../core/html.js'
import { SHARED } from '../core/layout.js'
import { withEmojis } from '../core/rich-text.js'

export const RSS_SUFFIX = '.rss'

export interface Channel {
  readonly title: string
  readonly description: string
  /** URL of the page whose posts the feed contains. */
  readonly link: string
  /** URL of the RSS feed itself. */
  readonly self: string
  readonly image?: string | undefined
}

/** Characters that XML 1.0 forbids, even as references. */
const FORBIDDEN = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu

const xml = (text: string): string => escapeHtml(text.toWellFormed().replace(FORBIDDEN, ''))
const element = (name: string, text: string): string => `<${name}>${xml(text)}</${name}>`
const dateOf = (iso: string): string => new Date(readTime(iso)).toUTCString()

/** Media types of attachments by file extension. */
const TYPES: Readonly<Record<string, string>> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
  avif: 'image/avif',
  mp4: 'video/mp4',
  webm: 'video/webm',
  mov: 'video/quicktime',
  mp3: 'audio/mpeg',
  m4a: 'audio/mp4',
  ogg: 'audio/ogg',
  opus: 'audio/ogg',
  flac: 'audio/flac',
  wav: 'audio/wav',
}
/** Media types by type of attachment. They apply if the file extension is unknown. */
const USUAL: Readonly<Record<string, string>> = {
  image: 'image/jpeg',
  gifv: 'video/mp4',
  video: 'video/mp4',
  audio: 'audio/mpeg',
}

/** Enclosure of an attachment. RSS requires type and length: the type is from the file extension, and the unknown length is 0. */
const mediaOf = ({ url, type, description }: MediaAttachment): string => {
  if (!url || type === 'unknown') return ''
  const ending = /\.(\w+)(?:$|\?)/.exec(url)?.[1]?.toLowerCase() ?? ''
  const known = Object.hasOwn(TYPES, ending) ? TYPES[ending] : USUAL[type]
  const kind = known ?? 'application/octet-stream'
  const medium = type === 'gifv' ? 'video' : type
  return `<enclosure url="${xml(url)}" length="0" type="${kind}"/><media:content url="${xml(url)}" type="${kind}" medium="${medium}">${description ? `<media:description type="plain">${xml(description)}</media:description>` : ''}</media:content>`
}

const contentOf = ({ spoiler_text: warning, content, poll, emojis }: Status): string => {
  const options = poll ? `<ul>${poll.options.map(({ title }) => `<li>${escapeHtml(title)}</li>`).join('')}</ul>` : ''
  const text = `${warning ? `<p><strong>${escapeHtml(warning)}</strong></p><hr>` : ''}${content}${options}`
  return withEmojis(text, emojis)
}

const itemOf = (status: Status): string => {
  const address = status.url ?? status.uri
  const sensitive = status.sensitive ? 'adult' : 'nonadult'
  const media = status.media_attachments.map(mediaOf).join('')
  return `<item><guid isPermaLink="true">${xml(address)}</guid>${element('link', address)}${element('pubDate', dateOf(status.created_at))}${element('description', contentOf(status))}${media}${media ? `<media:rating scheme="urn:simple">${sensitive}</media:rating>` : ''}${status.tags.map(({ name }) => element('category', name)).join('')}</item>`
}

/** Returns the RSS document. Boosts are left out, because they have no text of their own. */
export const rssText = ({ title, description, link, self, image }: Channel, statuses: readonly Status[]): string => {
  const own = statuses.filter((status) => status.reblog === null)
  const [newest] = own
  return `<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom" xmlns:media="http://search.yahoo.com/mrss/"><channel>${element('title', title)}${element('description', description)}${element('link', link)}<atom:link href="${xml(self)}" rel="self" type="application/rss+xml"/>${image ? `<image>${element('url', image)}${element('title', title)}${element('link', link)}</image>` : ''}${newest ? element('lastBuildDate', dateOf(newest.created_at)) : ''}<generator>Murmuration</generator>
${own.map(itemOf).join('\n')}
</channel></rss>
`
}

export const sendRss = (
  ctx: Pick<Context, 'site'>,
  res: ServerResponse,
  channel: Channel,
  statuses: readonly Status[],
): void => {
  const bytes = Buffer.from(rssText(channel, statuses))
  const guards = guardHeaders(ctx.site.https)
  for (let i = 0; i < guards.length; i += 2) res.setHeader(guards[i] as string, guards[i + 1] as string)
  res.setHeader('Content-Type', 'application/rss+xml; charset=utf-8')
  res.setHeader('Content-Length', String(bytes.length))
  res.setHeader('Cache-Control', SHARED)
  res.appendHeader('Vary', 'Accept-Language')
  res.end(res.req.method === 'HEAD' ? undefined : bytes)
}

/** Link element that names the feed of a page. */
export const rssLink = (self: string, title: string): Html =>
  html`<link rel="alternate" type="application/rss+xml" title="${title}" href="${self}">`
