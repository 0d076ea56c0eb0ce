/** Text of users as HTML of our pages, sanitised again and with custom emoji as images (D066). */
import type { Account, CustomEmoji } from '@murmuration/contracts/entities'
import { escapeHtml, sanitiseRemoteHtml, webUrl } from '@murmuration/text'
import { type Html, trusted } from './html.js'

const SHORTCODE = /:(\w{2,128}):/g

const picture = ({ shortcode, static_url }: CustomEmoji): string =>
  `<img class="emoji" src="${escapeHtml(static_url)}" alt=":${escapeHtml(shortcode)}:" title=":${escapeHtml(shortcode)}:" width="20" height="20" loading="lazy">`

/** Only texts between tags change: an emoji's name inside an address stays (A155). */
const withEmojis = (safe: string, emojis: readonly CustomEmoji[]): string => {
  const known = new Map(emojis.filter((one) => webUrl(one.static_url)).map((one) => [one.shortcode, picture(one)]))
  if (known.size === 0) return safe
  return safe
    .split(/(<[^>]*>)/)
    .map((part) => (part.startsWith('<') ? part : part.replace(SHORTCODE, (whole, name) => known.get(name) ?? whole)))
    .join('')
}

/** A status, biography or field value. */
export const richText = (content: string, emojis: readonly CustomEmoji[]): Html =>
  trusted(withEmojis(sanitiseRemoteHtml(content), emojis))

/** Plain text with custom emoji, such as a name or a content warning. */
export const plainText = (text: string, emojis: readonly CustomEmoji[]): Html =>
  trusted(withEmojis(escapeHtml(text), emojis))

/** The value of a profile field; its links say that they are the same person. */
export const fieldText = (value: string, emojis: readonly CustomEmoji[]): Html =>
  trusted(
    withEmojis(sanitiseRemoteHtml(value).replaceAll(' rel="nofollow noopener"', ' rel="nofollow noopener me"'), emojis),
  )

/** The name somebody goes by; the user name when they gave none. */
export const nameOf = (account: Pick<Account, 'display_name' | 'username'>): string =>
  account.display_name.trim() || account.username

/** HTML that admin rendered from Markdown of staff. Headings of the first level belong to the page. */
export const staffText = (content: string): Html => trusted(content.replace(/<(\/?)h1\b/gi, '<$1h2'))
