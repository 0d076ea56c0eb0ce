/** Adds a custom emoji to this server, or replaces the picture of an existing one. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { CustomEmoji } from '@murmuration/contracts/entities'
import { invalidField, notFound } from '@murmuration/contracts/kit'
import { emojiInvalidation, emojiManaged } from '@murmuration/contracts/media'
import type { Context } from '../context.js'
import { checkShortcode } from '../core/emoji/rules.js'
import { lockEmoji, lockShortcode, putEmoji, recordedOf } from '../core/emoji/store.js'
import { emojiOf } from '../core/emoji/view.js'
import { freshKey } from '../core/file/files.js'
import { deleteFiles, storeFiles } from '../core/file/store-files.js'
import { fileTypeOf } from '../core/file/type.rules.js'
import { insertUnusedFiles } from '../core/file/unused.store.js'
import { checkPicture, PICTURE_BYTES } from '../core/file/upload.rules.js'
import { drawPicture } from '../core/picture/draw.js'
import { dropPictures, insertPicture } from '../core/picture/store.js'
import { OWNER } from './drop.js'

export interface NewEmoji {
  /** Id of the staff account that adds the emoji; null for operators. */
  by: string | null
  shortcode: string
  bytes: Buffer
  category: string | null
  /** If false, a shortcode that another emoji already has is refused. */
  overwrite: boolean
  visible?: boolean | undefined
  disabled?: boolean | undefined
  /** Maximum bytes of the emoji's picture. */
  max?: number
}

const drawn = <T>(
  ctx: Context,
  { shortcode, bytes, max = PICTURE_BYTES.emoji }: Pick<NewEmoji, 'shortcode' | 'bytes' | 'max'>,
  use: (picture: Awaited<ReturnType<typeof drawPicture>>) => Promise<T>,
): Promise<T> => {
  checkShortcode(shortcode)
  checkPicture('Image', fileTypeOf(bytes.subarray(0, 4_096)), bytes.length, max)
  return ctx.workDirectories.use(async (dir) => {
    await writeFile(join(dir, 'in'), bytes)
    return use(await drawPicture(ctx, dir, 'emoji', (_copy, mediaType) => freshKey('emoji', mediaType)))
  })
}

/** Validates shortcode and picture. Throws the error that `put` would throw. */
export const checkEmoji = async (ctx: Context, it: Pick<NewEmoji, 'shortcode' | 'bytes'>): Promise<void> => {
  await drawn(ctx, it, async () => undefined)
}

export const addEmoji = async (ctx: Context, it: NewEmoji): Promise<CustomEmoji> => {
  const { by, shortcode, category, overwrite, visible, disabled } = it
  const stored = await drawn(ctx, it, ({ key, still_key, media_type, files }) => {
    const [id, at] = [ctx.ids.next(), ctx.clock.date()]
    return storeFiles(ctx, files, async (tx, size) => {
      await lockShortcode(tx, shortcode)
      const before = await lockEmoji(tx, shortcode)
      if (before && !overwrite) throw invalidField('Shortcode has already been taken')
      await insertPicture(tx, { id, owner: OWNER, kind: 'emoji', key, still_key, media_type, size, created_at: at })
      await putEmoji(tx, { shortcode, pictureId: id, category, visible, disabled, at })
      const gone = before ? (await dropPictures(tx, OWNER, [before.key])).flat() : []
      await insertUnusedFiles(tx, gone, at)
      const row = await lockEmoji(tx, shortcode)
      await ctx.announce(tx, emojiManaged, {
        by,
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
  await deleteFiles(ctx, stored.gone)
  ctx.emojis.invalidate()
  ctx.invalidations.send(emojiInvalidation, [shortcode])
  return emojiOf(ctx, stored.row)
}
