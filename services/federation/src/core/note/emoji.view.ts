/** Converts local custom emoji to the sources of Emoji objects in ActivityPub documents. */
import type { EmojiSource } from '@murmuration/activitypub/vocabulary/write-tag'

const TYPES: Record<string, string> = { gif: 'image/gif', jpg: 'image/jpeg', png: 'image/png', webp: 'image/webp' }

/** Constant `updated` of every local emoji. A changed image has a new URL, so other servers need no time of change. */
const UPDATED = '2026-01-01T00:00:00.000Z'

/** Sources of Emoji objects. `origin`: origin of this server; the document of an emoji is at `origin/emojis/SHORTCODE`. */
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
