/** Receives an upload. Images are processed immediately, and other files later by the worker. */
import { join } from 'node:path'
import { invalidField, isNoResponse } from '@murmuration/contracts/kit'
import { limits } from '@murmuration/contracts/limits'
import { processMediaJob, type StagedFile } from '@murmuration/contracts/media'
import { isDuplicate } from '@murmuration/db'
import type { Context } from '../context.js'
import { parseFocus } from '../core/attachment/focus.rules.js'
import { checkDescription, KEY_MS } from '../core/attachment/rules.js'
import {
  type Attachment,
  attachmentById,
  attachmentByKey,
  deleteKey,
  insertAttachment,
} from '../core/attachment/store.js'
import { freshKey } from '../core/file/files.js'
import { storeFiles } from '../core/file/store-files.js'
import { type FileType, fileTypeOf } from '../core/file/type.rules.js'
import { checkPicture, checkUpload } from '../core/file/upload.rules.js'
import { drawAttachment } from '../core/picture/draw.js'

export interface Upload {
  file: StagedFile | null
  thumbnail: StagedFile | null
  description?: string | null | undefined
  focus?: string | null | undefined
}
type Row = Parameters<typeof insertAttachment>[1]

const EMPTY = {
  original_key: null,
  small_key: null,
  staged_key: null,
  staged_cover_key: null,
  blurhash: null,
  meta: {},
}

const store = async (ctx: Context, tx: Parameters<typeof insertAttachment>[0], row: Row): Promise<void> => {
  if (row.idempotency_key !== null)
    await deleteKey(tx, row.owner, row.idempotency_key, new Date(ctx.clock.now() - KEY_MS))
  await insertAttachment(tx, row)
}

/** Processes and stores an image. Returns false for an animation that ffmpeg should process. */
const storePicture = (ctx: Context, row: Row, file: StagedFile, type: FileType, ffmpeg: boolean): Promise<boolean> =>
  ctx.workDirectories.use(async (dir) => {
    await ctx.files.copyTo(file.key, join(dir, 'in'))
    const motion = type.mediaType !== 'image/gif' ? 'keep' : ffmpeg ? 'leave' : 'refuse'
    const drawn = await drawAttachment(ctx, dir, motion, (_copy, mediaType) => freshKey('media', mediaType))
    if (drawn === 'moves') return false
    await storeFiles(ctx, drawn.files, (tx, size) => store(ctx, tx, { ...row, ...drawn.columns, state: 'done', size }))
    return true
  })

/**
 * Stores an upload in staging for the worker that processes it later. `keep` gets the keys of staged files that must not
 * be deleted. If the result of the commit is unknown, the row may refer to them.
 */
const storeWaiting = async (
  ctx: Context,
  row: Row,
  type: FileType,
  [file, cover]: readonly [StagedFile, StagedFile | null],
  keep: (keys: readonly (string | null)[]) => void,
) => {
  const staged_cover_key = type.kind === 'image' ? null : (cover?.key ?? null)
  if (staged_cover_key !== null) {
    const seen = await ctx.files.head(staged_cover_key)
    checkPicture('Thumbnail', seen && fileTypeOf(seen.head), seen?.size ?? 0, limits.media.imageBytes)
  }
  const kind = type.kind === 'image' ? ('gifv' as const) : type.kind
  const keys = [file.key, staged_cover_key]
  try {
    await ctx.db.tx(async (tx) => {
      await store(ctx, tx, { ...row, type: kind, staged_key: file.key, staged_cover_key })
      await ctx.queue(tx, processMediaJob, { id: row.id })
    })
  } catch (error) {
    // If no row refers to the files, a tick deletes them after a day.
    if (isNoResponse(error)) keep(keys)
    throw error
  }
  keep(keys)
}

/** Returns the stored upload. A repeated idempotency key returns the first upload, also for concurrent requests. */
export const receive = async (ctx: Context, owner: string, input: Upload, key: string | null): Promise<Attachment> => {
  const staged = [input.file, input.thumbnail].flatMap((file) => (file ? [file.key] : []))
  let waiting: readonly (string | null)[] = []
  try {
    const description = checkDescription(input.description) ?? null
    const focus = parseFocus(input.focus)
    const known = key && (await attachmentByKey(ctx.db, owner, key, new Date(ctx.clock.now() - KEY_MS)))
    if (known) return known
    const seen = input.file && (await ctx.files.head(input.file.key))
    if (!input.file || !seen) throw invalidField("File can't be blank")
    const ffmpeg = await ctx.ffmpeg.available()
    const type = checkUpload(fileTypeOf(seen.head), seen.size, { ffmpeg, avif: ctx.config.avif })
    const row: Row = {
      ...EMPTY,
      id: ctx.ids.next(),
      owner,
      state: 'processing',
      type: 'image',
      media_type: type.mediaType,
      description,
      focus_x: focus?.[0] ?? null,
      focus_y: focus?.[1] ?? null,
      size: 0,
      idempotency_key: key,
      created_at: ctx.clock.date(),
    }
    if (type.kind !== 'image' || !(await storePicture(ctx, row, input.file, type, ffmpeg)))
      await storeWaiting(ctx, row, type, [input.file, input.thumbnail], (keys) => {
        waiting = keys
      })
    return (await attachmentById(ctx.db, row.id)) as Attachment
  } catch (error) {
    const first = key && isDuplicate(error, 'attachments_idempotency')
    const known = first && (await attachmentByKey(ctx.db, owner, key, new Date(ctx.clock.now() - KEY_MS)))
    if (known) return known
    throw error
  } finally {
    const done = staged.filter((one) => !waiting.includes(one))
    await ctx.files.delete(done).catch((error) => ctx.log.warn({ error }, 'an upload was not deleted from staging'))
  }
}
