/** Local custom emoji in documents. */
import type { EmojiSource } from '@murmuration/activitypub/vocabulary/write-tag'

const TYPES: Record<string, string> = { gif: 'image/gif', jpg: 'image/jpeg', png: 'image/png', webp: 'image/webp' }

/** A new image has a new address, so other servers need no time of change. */
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
