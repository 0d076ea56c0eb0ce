/** Converts custom emoji to CustomEmoji JSON. */
import type { CustomEmoji } from '@murmuration/contracts/entities'
import type { Context } from '../../context.js'
import type { EmojiRow } from './store.js'

export const emojiOf = (ctx: Pick<Context, 'files'>, row: EmojiRow): CustomEmoji => ({
  shortcode: row.shortcode,
  url: ctx.files.address(row.key),
  static_url: ctx.files.address(row.still_key ?? row.key),
  visible_in_picker: row.visible_in_picker,
  ...(row.category === null ? {} : { category: row.category }),
  featured: false,
})
