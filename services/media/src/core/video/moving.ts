/** Converts an uploaded video, sound or animation to files and columns of an attachment. */
import { join } from 'node:path'
import type { Context } from '../../context.js'
import type { Attachment } from '../attachment/store.js'
import { type FileToStore, freshKey } from '../file/files.js'
import { fileTypeOf, HEAD_BYTES } from '../file/type.rules.js'
import { undecodable, unlessRetryable, unverified } from '../file/upload.rules.js'
import { readHead } from '../file/work-directory.js'
import { type DrawnAttachment, drawCover, type Namer } from '../picture/draw.js'
import { audioDetails, videoDetails } from './streams.rules.js'

type Part = Pick<Context, 'config' | 'decoders' | 'faults' | 'ffmpeg' | 'files'>

const media: Namer = (_copy, mediaType) => freshKey('media', mediaType)

/** Transcodes the file `in` of the work directory `dir`. `cover`: file name of a cover picture in `dir`, or null. */
export const transcodeAttachment = async (
  ctx: Part,
  dir: string,
  cover: string | null,
  name: Namer = media,
): Promise<DrawnAttachment> => {
  const type = fileTypeOf(await readHead(join(dir, 'in'), HEAD_BYTES))
  if (!type?.demuxer) throw unverified()
  const made = await ctx.ffmpeg.transcode(dir, type.demuxer, () => ctx.faults.reach('media.duringTranscode'))
  const picture = cover ?? made.frame
  const drawing = picture === null ? null : drawCover(ctx, dir, picture, name, cover !== null || made.type === 'audio')
  // A cover inside a sound that cannot be drawn is no reason to refuse the sound.
  const isInside = cover === null && made.type === 'audio'
  const drawn = await (isInside ? drawing?.catch(unlessRetryable(null)) : drawing)
  const original_key = name('main', made.mediaType)
  const original: FileToStore = { key: original_key, path: join(dir, 'out'), mediaType: made.mediaType }
  return {
    files: [original, ...(drawn?.files ?? [])],
    columns: {
      type: made.type,
      media_type: made.mediaType,
      original_key,
      small_key: drawn?.columns.small_key ?? null,
      // A sound has no blurhash, even if it has a cover.
      blurhash: made.type === 'audio' ? null : (drawn?.columns.blurhash ?? null),
      meta: {
        original: made.type === 'audio' ? audioDetails(made.streams) : videoDetails(made.streams),
        ...drawn?.columns.meta,
      },
    },
  }
}

/** Copies a staged upload to the work directory and processes it. */
export const processStaged = async (ctx: Part, dir: string, row: Attachment): Promise<DrawnAttachment> => {
  if (row.staged_key === null || !(await ctx.files.copyTo(row.staged_key, join(dir, 'in')))) throw undecodable()
  const covered = row.staged_cover_key !== null && (await ctx.files.copyTo(row.staged_cover_key, join(dir, 'cover')))
  return transcodeAttachment(ctx, dir, covered ? 'cover' : null)
}
