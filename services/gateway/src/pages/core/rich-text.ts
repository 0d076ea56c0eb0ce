/** Text of users as HTML: sanitised again, and with custom emoji as images (D066). */
import type { Account, CustomEmoji } from '@murmuration/contracts/entities'
import { escapeHtml, sanitiseRemoteHtml, webUrl } from '@murmuration/text'
import { type Html, trusted } from './html.js'

type Picture = Pick<CustomEmoji, 'shortcode' | 'static_url'>

const picture = ({ shortcode, static_url }: Picture): string =>
  `<img class="emoji" src="${escapeHtml(static_url)}" alt=":${escapeHtml(shortcode)}:" title=":${escapeHtml(shortcode)}:" width="20" height="20" loading="lazy">`

/**
 * Returns a pattern that matches the given names of custom emoji as `:shortcode:`. Shortcodes of other servers may
 * contain dots and letters of any script.
 */
const shortcodesOf = (names: Iterable<string>): RegExp =>
  new RegExp(`:(${[...names].map((name) => name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|')}):`, 'g')

/** Replaces shortcodes by images of custom emoji, in text between tags. Shortcodes in attributes, such as URLs, are not changed (A155). */
export const withEmojis = (safe: string, emojis: readonly CustomEmoji[]): string => {
  const known = new Map(emojis.filter((one) => webUrl(one.static_url)).map((one) => [one.shortcode, picture(one)]))
  if (known.size === 0) return safe
  const shortcodes = shortcodesOf(known.keys())
  return safe
    .split(/(<[^>]*>)/)
    .map((part) => (part.startsWith('<') ? part : part.replace(shortcodes, (whole, name) => known.get(name) ?? whole)))
    .join('')
}

/** A custom emoji outside of a text: its image, or its shortcode if it has no address of an image. */
export const customEmoji = (emoji: Picture): Html =>
  trusted(webUrl(emoji.static_url) ? picture(emoji) : escapeHtml(`:${emoji.shortcode}:`))

/** Returns the HTML of a status or a bio, sanitised and with custom emoji. */
export const richText = (content: string, emojis: readonly CustomEmoji[]): Html =>
  trusted(withEmojis(sanitiseRemoteHtml(content), emojis))

/** Plain text with custom emoji, such as a name or a content warning. */
export const plainText = (text: string, emojis: readonly CustomEmoji[]): Html =>
  trusted(withEmojis(escapeHtml(text), emojis))

/** Value of a profile field; its links have `rel="me"`. */
export const fieldText = (value: string, emojis: readonly CustomEmoji[]): Html =>
  trusted(
    withEmojis(sanitiseRemoteHtml(value).replaceAll(' rel="nofollow noopener"', ' rel="nofollow noopener me"'), emojis),
  )

/** The display name of an account; its username if the display name is empty. */
export const nameOf = (account: Pick<Account, 'display_name' | 'username'>): string =>
  account.display_name.trim() || account.username

/** HTML that the admin service rendered from Markdown of staff. `h1` becomes `h2`, because the page has its own `h1`. */
export const staffText = (content: string): Html => trusted(content.replace(/<(\/?)h1\b/gi, '<$1h2'))
