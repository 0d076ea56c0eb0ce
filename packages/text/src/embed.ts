/** Rebuilds the player frame of an oEmbed document. The provider's HTML is never passed on. */
import { escapeHtml } from './escape.js'
import { type Attributes, attributeOf } from './html-attribute.js'
import { walkHtml } from './html-walk.js'

/** A player frame for preview cards: safe HTML, address, and size in CSS pixels (0 if not given). */
export type Embed = { html: string; url: string; width: number; height: number }

const MAX_SIDE = 4096

/**
 * The first https frame in an oEmbed `html` whose host is allowed, as a new sandboxed tag; null if there is none.
 *
 * @param admits returns whether frames of this host (lower case, ASCII) are allowed
 */
export function oembedFrame(html: string, admits: (host: string) => boolean): Embed | null {
  let found: Embed | null = null
  const open = (name: string, attributes: Attributes) => {
    if (name === 'iframe') found ??= frame(attributes, admits)
  }
  try {
    walkHtml(html, { open, close: () => {}, text: () => {} })
  } catch {
    return null
  }
  return found
}

function frame(attributes: Attributes, admits: (host: string) => boolean): Embed | null {
  const url = URL.parse(attributeOf(attributes, 'src') ?? '')
  if (url?.protocol !== 'https:' || url.username !== '' || url.password !== '' || !admits(url.hostname)) return null
  const width = side(attributeOf(attributes, 'width'))
  const height = side(attributeOf(attributes, 'height'))
  const size = (width > 0 ? ` width="${width}"` : '') + (height > 0 ? ` height="${height}"` : '')
  const html =
    `<iframe src="${escapeHtml(url.href)}"${size} allowfullscreen="allowfullscreen" ` +
    'sandbox="allow-scripts allow-same-origin allow-popups allow-popups-to-escape-sandbox allow-forms"></iframe>'
  return { html, url: url.href, width, height }
}

/** A width or height in pixels; 0 if the value is not a plain number. */
const side = (value: string | undefined): number =>
  /^\d{1,5}$/.test(value ?? '') ? Math.min(Number(value), MAX_SIDE) : 0
