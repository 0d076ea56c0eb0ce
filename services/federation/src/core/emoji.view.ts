/** Custom emoji of ours as documents name them. */
import type { EmojiSource } from '@murmuration/activitypub/vocabulary/write-tag'

const TYPES: Record<string, string> = { gif: 'image/gif', jpg: 'image/jpeg', png: 'image/png', webp: 'image/webp' }

/** A new picture has a new address, by which others notice it; the time need not tell them. */
const UPDATED = '2026-01-01T00:00:00.000Z'

/** @param origin of this server, below which each emoji has its document */
export const emojiSources = (
  emojis: readonly { shortcode: string; url: string }[] | undefined,
  origin: string,
): EmojiSource[] =>
  (emojis ?? []).map(({ shortcode, url }) => ({
    uri: `${origin}/emojis/${shortcode}`,
    shortcode,
    url,
    mediaType: TYPES[url.slice(url.lastIndexOf('.') + 1)] ?? 'image/png',
    updatedAt: UPDATED,
  }))
