/** Custom emoji by the shortcodes of a text. */
import { emojiFind } from '@murmuration/contracts/media'
import { handle } from '../../doors.js'
import { emojiOf } from '../../views/emoji.js'

export const findEmojis = handle(emojiFind, async (ctx, _viewer, { shortcodes }) => {
  const wanted = new Set(shortcodes)
  const found = (await ctx.emojis()).filter((row) => wanted.has(row.shortcode))
  return {
    emojis: found.map((row) => {
      const { shortcode, url, static_url } = emojiOf(ctx, row)
      return { shortcode, url, static_url }
    }),
  }
})
