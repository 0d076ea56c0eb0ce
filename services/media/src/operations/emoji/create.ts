/** Adds a custom emoji, or gives one of the same name another picture. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { notFound } from '@murmuration/contracts/kit'
import { emojiCreate, emojiHint, emojiManaged } from '@murmuration/contracts/media'
import { OWNER } from '../../changes/drop-emoji.js'
import { dropFiles, keepFiles } from '../../changes/keep-files.js'
import { checkShortcode } from '../../domain/emoji.js'
import { fileTypeOf } from '../../domain/file-type.js'
import { admitPicture, PICTURE_BYTES } from '../../domain/upload.js'
import { handle } from '../../doors.js'
import { freshKey } from '../../outside/files.js'
import { drawPicture } from '../../outside/pictures.js'
import { lockEmoji, putEmoji, recordedOf } from '../../store/emoji.js'
import { loosenFiles } from '../../store/loose-file.js'
import { dropPictures, insertPicture } from '../../store/picture.js'
import { emojiOf } from '../../views/emoji.js'

export const createEmoji = handle(emojiCreate, async (ctx, viewer, { shortcode, image, category }) => {
  checkShortcode(shortcode)
  const bytes = Buffer.from(image, 'base64')
  admitPicture('Image', fileTypeOf(bytes.subarray(0, 4_096)), bytes.length, PICTURE_BYTES.emoji)
  const stored = await ctx.benches.use(async (dir) => {
    await writeFile(join(dir, 'in'), bytes)
    const drawn = await drawPicture(ctx, dir, 'emoji', (_copy, mediaType) => freshKey('emoji', mediaType))
    const { key, still_key, media_type, files } = drawn
    const [pictureId, at] = [ctx.ids.next(), ctx.clock.date()]
    return keepFiles(ctx, files, async (tx, size) => {
      const before = await lockEmoji(tx, shortcode)
      await insertPicture(tx, {
        id: pictureId,
        owner: OWNER,
        kind: 'emoji',
        key,
        still_key,
        media_type,
        size,
        created_at: at,
      })
      await putEmoji(tx, { shortcode, pictureId, category, at })
      const gone = before ? (await dropPictures(tx, OWNER, [before.key])).flat() : []
      await loosenFiles(tx, gone, at)
      const row = await lockEmoji(tx, shortcode)
      await ctx.announce(tx, emojiManaged, {
        by: viewer?.id ?? null,
        action: 'create_custom_emoji',
        targetId: shortcode,
        target: shortcode,
        before: before && recordedOf(before),
        after: row && recordedOf(row),
      })
      return { row, gone }
    })
  })
  if (!stored.row) throw notFound()
  await dropFiles(ctx, stored.gone)
  ctx.emojis.forget()
  ctx.hints.send(emojiHint, [shortcode])
  return emojiOf(ctx, stored.row)
})
