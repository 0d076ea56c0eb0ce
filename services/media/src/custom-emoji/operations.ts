/** Handler that lists custom emoji for staff. */
import { emojiListAll } from '@murmuration/contracts/media'
import { handle } from '../doors.js'
import { everyEmoji } from '../store/emoji.js'
import { emojiOf } from '../views/emoji.js'

export const listAll = handle(emojiListAll, async (ctx) =>
  (await everyEmoji(ctx.db)).map((row) => ({ ...emojiOf(ctx, row), disabled: row.disabled })),
)
