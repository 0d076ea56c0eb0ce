/** Custom emoji of ours as documents name them. */
import type { EmojiSource } from '../vocabulary/write-tag.js'

const TYPES: Record<string, string> = { gif: 'image/gif', jpg: 'image/jpeg', png: 'image/png', webp: 'image/webp' }

/** A new picture has a new address, by which others notice it; the time need not tell them. */
const UPDATED = '2026-01-01T00:00:00.000Z'

export const emojiSources = (emojis: readonly { shortcode: string; url: string }[] = []): EmojiSource[] =>
  emojis.map(({ shortcode, url }) => ({
    uri: url,
    shortcode,
    url,
    mediaType: TYPES[url.slice(url.lastIndexOf('.') + 1)] ?? 'image/png',
    updatedAt: UPDATED,
  }))
