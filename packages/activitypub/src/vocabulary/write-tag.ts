/** Writes tags: custom emoji, hashtags and mentions. */

export type EmojiSource = {
  /** Id of the custom emoji. */
  uri: string
  /** Shortcode of the custom emoji, without colons. */
  shortcode: string
  url: string
  mediaType: string
  updatedAt: string
}

/** Writes an Emoji tag. */
export const writeEmoji = (it: EmojiSource) => ({
  id: it.uri,
  type: 'Emoji',
  name: `:${it.shortcode}:`,
  updated: it.updatedAt,
  icon: { type: 'Image', mediaType: it.mediaType, url: it.url },
})

/** Writes a Hashtag. `name`: without `#`. `url`: address of the hashtag's page. */
export const writeHashtag = (it: { name: string; url: string }) => ({
  type: 'Hashtag',
  href: it.url,
  name: `#${it.name}`,
})

/**
 * Writes a Mention. `handle`: `user@domain`. The domain is included even for accounts of the receiving server, because
 * some servers need it.
 */
export const writeMention = (it: { uri: string; handle: string }) => ({
  type: 'Mention',
  href: it.uri,
  name: `@${it.handle}`,
})
