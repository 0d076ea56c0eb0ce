/** Removes a custom emoji with its files. */
import { notFound } from '@murmuration/contracts/kit'
import { emojiHint, emojiManaged, emojiRemove } from '@murmuration/contracts/media'
import { dropEmoji } from '../../changes/drop-emoji.js'
import { dropFiles } from '../../changes/keep-files.js'
import { handle } from '../../doors.js'
import { lockEmoji, recordedOf } from '../../store/emoji.js'

export const removeEmoji = handle(emojiRemove, async (ctx, viewer, { shortcode }) => {
  const gone = await ctx.db.tx(async (tx) => {
    const row = await lockEmoji(tx, shortcode)
    if (!row) throw notFound()
    const files = await dropEmoji(ctx, tx, row)
    await ctx.announce(tx, emojiManaged, {
      by: viewer?.id ?? null,
      action: 'destroy_custom_emoji',
      targetId: shortcode,
      target: shortcode,
      before: recordedOf(row),
      after: null,
    })
    return files
  })
  await dropFiles(ctx, gone)
  ctx.emojis.forget()
  ctx.hints.send(emojiHint, [shortcode])
  return {}
})
