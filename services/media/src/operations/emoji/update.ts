/** Changes how an emoji is offered. */
import { notFound } from '@murmuration/contracts/kit'
import { emojiHint, emojiManaged, emojiUpdate } from '@murmuration/contracts/media'
import { handle } from '../../doors.js'
import { changeEmoji, type EmojiRow, lockEmoji, recordedOf } from '../../store/emoji.js'
import { emojiOf } from '../../views/emoji.js'

/** Name of the change in the audit log. */
const actionOf = (before: EmojiRow, after: EmojiRow) =>
  before.disabled === after.disabled
    ? ('update_custom_emoji' as const)
    : (`${after.disabled ? 'disable' : 'enable'}_custom_emoji` as const)

export const updateEmoji = handle(emojiUpdate, async (ctx, viewer, { shortcode, ...input }) => {
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
    await ctx.announce(tx, emojiManaged, {
      by: viewer?.id ?? null,
      action: actionOf(before, after),
      targetId: shortcode,
      target: shortcode,
      before: recordedOf(before),
      after: recordedOf(after),
    })
    return after
  })
  ctx.emojis.forget()
  ctx.hints.send(emojiHint, [shortcode])
  return emojiOf(ctx, after)
})
