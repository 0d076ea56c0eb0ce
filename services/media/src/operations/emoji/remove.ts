/** Removes a custom emoji with its files. */
import { notFound } from '@murmuration/contracts/kit'
import { emojiHint, emojiManaged, emojiRemove } from '@murmuration/contracts/media'
import { dropFiles } from '../../changes/keep-files.js'
import { handle } from '../../doors.js'
import { lockEmoji, removeEmoji as removeRow } from '../../store/emoji.js'
import { loosenFiles } from '../../store/loose-file.js'
import { dropPictures } from '../../store/picture.js'
import { OWNER } from './create.js'

export const removeEmoji = handle(emojiRemove, async (ctx, viewer, { shortcode }) => {
  const gone = await ctx.db.tx(async (tx) => {
    const row = await lockEmoji(tx, shortcode)
    if (!row) throw notFound()
    await removeRow(tx, shortcode)
    const files = (await dropPictures(tx, OWNER, [row.key])).flat()
    await loosenFiles(tx, files, ctx.clock.date())
    await ctx.announce(tx, emojiManaged, {
      by: viewer?.id ?? null,
      action: 'destroy_custom_emoji',
      targetId: shortcode,
      target: shortcode,
      before: { category: row.category },
      after: null,
    })
    return files
  })
  await dropFiles(ctx, gone)
  ctx.emojis.forget()
  ctx.hints.send(emojiHint, [shortcode])
  return {}
})
