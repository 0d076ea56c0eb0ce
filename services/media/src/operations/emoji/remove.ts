/** Removes a custom emoji with its files. */
import { notFound } from '@murmuration/contracts/kit'
import { emojiHint, emojiRemove } from '@murmuration/contracts/media'
import { dropFiles } from '../../changes/keep-files.js'
import { handle } from '../../doors.js'
import { lockEmoji, removeEmoji as removeRow } from '../../store/emoji.js'
import { loosenFiles } from '../../store/loose-file.js'
import { dropPictures } from '../../store/picture.js'
import { OWNER } from './create.js'

export const removeEmoji = handle(emojiRemove, async (ctx, _viewer, { shortcode }) => {
  const gone = await ctx.db.tx(async (tx) => {
    const row = await lockEmoji(tx, shortcode)
    if (!row) throw notFound()
    await removeRow(tx, shortcode)
    const files = (await dropPictures(tx, OWNER, [row.key])).flat()
    await loosenFiles(tx, files, ctx.clock.date())
    return files
  })
  await dropFiles(ctx, gone)
  ctx.emojis.forget()
  ctx.hints.send(emojiHint, [shortcode])
  return {}
})
