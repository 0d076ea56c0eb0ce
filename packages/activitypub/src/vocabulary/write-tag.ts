/** Writes tags: custom emoji, hashtags and mentions. */

export type EmojiSource = {
  /** The address of the emoji itself. */
  uri: string
  /** Without colons. */
  shortcode: string
  url: string
  mediaType: string
  updatedAt: string
}

export const writeEmoji = (it: EmojiSource) => ({
  id: it.uri,
  type: 'Emoji',
  name: `:${it.shortcode}:`,
  updated: it.updatedAt,
  icon: { type: 'Image', mediaType: it.mediaType, url: it.url },
})

/** A hashtag by its name without `#`, and its page. */
export const writeHashtag = (it: { name: string; url: string }) => ({
  type: 'Hashtag',
  href: it.url,
  name: `#${it.name}`,
})

/** A mention by the actor's id and its full handle, `user@domain`. Several servers need the domain also for their own accounts. */
export const writeMention = (it: { uri: string; handle: string }) => ({
  type: 'Mention',
  href: it.uri,
  name: `@${it.handle}`,
})
