/** Decides whether the text of a reaction is an emoji, and converts equal emoji to the same stored form. */

/** Characters that are shown as text unless U+FE0F follows. */
const textual = /[\p{Emoji}--\p{Emoji_Presentation}--\p{Emoji_Component}](?!\p{Emoji_Modifier})/gv
const keycap = /^([0-9#*])\u20e3$/u
const emoji = /^\p{RGI_Emoji}$/v
const shortcode = /^[\p{L}\p{N}\p{M}_+.-]+$/u

/**
 * Maximum length of an emoji in UTF-16 units. The longest emoji sequences have about 15 units.
 */
const MAX_EMOJI = 40
const MAX_NAME = 200

/**
 * The emoji in its recommended Unicode form, so that `❤` and `❤️` are equal. Null if the text is not a single emoji.
 */
export const emojiIn = (text: string): string | null => {
  if (text.length > MAX_EMOJI) return null
  const bare = text.replace(/[\ufe0e\ufe0f]/g, '')
  const spelled = bare.replace(keycap, '$1\ufe0f\u20e3').replace(textual, '$&\ufe0f')
  return [spelled, bare].find((one) => emoji.test(one)) ?? null
}

/** Whether a text is a valid name of a custom emoji. */
export const isEmojiName = (text: string): boolean => text.length <= MAX_NAME && shortcode.test(text)
