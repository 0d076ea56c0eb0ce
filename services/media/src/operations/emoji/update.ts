/** Changes how an emoji is offered. */
import { notFound } from '@murmuration/contracts/kit'
import { emojiHint, emojiUpdate } from '@murmuration/contracts/media'
import { handle } from '../../doors.js'
import { changeEmoji, lockEmoji } from '../../store/emoji.js'
import { emojiOf } from '../../views/emoji.js'

export const updateEmoji = handle(emojiUpdate, async (ctx, _viewer, { shortcode, ...input }) => {
  const after = await ctx.db.tx(async (tx) => {
    const before = await lockEmoji(tx, shortcode)
    if (!before) throw notFound()
    const after = {
      ...before,
      disabled: input.disabled ?? before.disabled,
      visible_in_picker: input.visible_in_picker ?? before.visible_in_picker,
      category: input.category === undefined ? before.category : input.category,
    }
    await changeEmoji(tx, after, ctx.clock.date())
    return after
  })
  ctx.emojis.forget()
  ctx.hints.send(emojiHint, [shortcode])
  return emojiOf(ctx, after)
})
