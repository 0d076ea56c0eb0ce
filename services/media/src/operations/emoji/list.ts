/** Custom emoji that people may pick. */
import { emojiList } from '@murmuration/contracts/media'
import { handle } from '../../doors.js'
import { emojiOf } from '../../views/emoji.js'

export const listEmojis = handle(emojiList, async (ctx) =>
  (await ctx.emojis()).filter((row) => row.visible_in_picker).map((row) => emojiOf(ctx, row)),
)
