/** Which texts are the emoji of a reaction, and the one spelling in which equal emoji are stored. */

/** Characters that are shown as text unless U+FE0F follows. */
const textual = /[\p{Emoji}--\p{Emoji_Presentation}--\p{Emoji_Component}](?!\p{Emoji_Modifier})/gv
const keycap = /^([0-9#*])\u20e3$/u
const emoji = /^\p{RGI_Emoji}$/v
const shortcode = /^[\p{L}\p{N}\p{M}_+.-]+$/u

/** The longest sequences have some 15 units; a custom name of this length is a mistake. */
const LONGEST_EMOJI = 40
const LONGEST_NAME = 200

/** Returns the emoji as Unicode recommends it, so that `❤` and `❤️` are the same; null when the text is no single emoji. */
export const emojiIn = (text: string): string | null => {
  if (text.length > LONGEST_EMOJI) return null
  const bare = text.replaceAll('\ufe0f', '')
  const spelled = bare.replace(keycap, '$1\ufe0f\u20e3').replace(textual, '$&\ufe0f')
  return [spelled, bare].find((one) => emoji.test(one)) ?? null
}

/** Returns true when a text can be the name of a custom emoji. */
export const isEmojiName = (text: string): boolean => text.length <= LONGEST_NAME && shortcode.test(text)
