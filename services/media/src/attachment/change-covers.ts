/**
 * Changes the covers of video and audio attachments. New covers are drawn first, and stored in the transaction that
 * changes the attachments. The files of the previous covers are deleted after that transaction.
 */
import { join } from 'node:path'
import { limits } from '@murmuration/contracts/limits'
import type { StagedFile } from '@murmuration/contracts/media'
import type { Tx } from '@murmuration/db'
import type { Context } from '../context.js'
import { type Attachment, setCovers } from '../core/attachment/store.js'
import { freshKey } from '../core/file/files.js'
import { deleteFiles, storeFiles } from '../core/file/store-files.js'
import { fileTypeOf } from '../core/file/type.rules.js'
import { insertUnusedFiles } from '../core/file/unused.store.js'
import { checkPicture } from '../core/file/upload.rules.js'
import { subdirectoryOf } from '../core/file/work-directory.js'
import { drawCover } from '../core/picture/draw.js'

/**
 * Whether an attachment accepts a new cover. Images have no cover. An upload that is not processed yet gets the cover
 * that was uploaded with it.
 */
export const wantsCover = (row: Attachment): boolean =>
  row.state === 'done' && ['video', 'gifv', 'audio'].includes(row.type)

export interface Cover {
  row: Attachment
  file: StagedFile
}

const draw = async (ctx: Context, dir: string, { row, file }: Cover) => {
  const seen = await ctx.files.head(file.key)
  checkPicture('Thumbnail', seen && fileTypeOf(seen.head), seen?.size ?? 0, limits.media.imageBytes)
  const subdirectory = await subdirectoryOf(dir, row.id)
  await ctx.files.copyTo(file.key, join(subdirectory, 'cover'))
  return {
    row,
    ...(await drawCover(ctx, subdirectory, 'cover', (_copy, mediaType) => freshKey('media', mediaType), true)),
  }
}

/**
 * Draws and stores covers in one transaction with `work`, which locks their attachments. Then deletes the previous
 * covers. If there are no covers, only `work` runs.
 */
export const changeCovers = async <T>(
  ctx: Context,
  covers: readonly Cover[],
  work: (tx: Tx) => Promise<T>,
): Promise<T> => {
  if (covers.length === 0) return ctx.db.tx(work)
  return ctx.workDirectories.use(async (dir) => {
    const drawn = await Promise.all(covers.map((one) => draw(ctx, dir, one)))
    const files = drawn.flatMap((one) => one.files)
    const { done, old } = await storeFiles(ctx, files, async (tx, bytes) => {
      const done = await work(tx)
      const size = Math.round(bytes / drawn.length)
      // Another change may have replaced a cover since the attachment was first read.
      const old = await setCovers(
        tx,
        drawn.map(({ row, columns }) => ({
          ...columns,
          id: row.id,
          blurhash: row.type === 'audio' ? null : columns.blurhash,
          size,
        })),
      )
      await insertUnusedFiles(tx, old, ctx.clock.date())
      return { done, old }
    })
    await deleteFiles(ctx, old)
    return done
  })
}

/** Deletes uploads from staging, whether they were used or not. Errors are ignored, because a tick deletes old ones. */
export const dropStaged = async (ctx: Context, files: readonly (StagedFile | null | undefined)[]): Promise<void> => {
  const keys = files.flatMap((file) => file?.key ?? [])
  if (keys.length) await ctx.files.delete(keys).catch(() => undefined)
}
