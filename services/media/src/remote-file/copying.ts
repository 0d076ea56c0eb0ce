/** Makes the copies of remote files in a work directory. */
import { join } from 'node:path'
import { notYet } from '@murmuration/contracts/kit'
import { limits } from '@murmuration/contracts/limits'
import type { Context } from '../context.js'
import type { Attachment } from '../core/attachment/store.js'
import { copyKey } from '../core/file/files.js'
import { fileTypeOf, HEAD_BYTES } from '../core/file/type.rules.js'
import { checkPicture, checkUpload, REMOTE_PICTURE_BYTES } from '../core/file/upload.rules.js'
import { readHead } from '../core/file/work-directory.js'
import { type DrawnAttachment, drawAttachment, drawPicture, type Namer } from '../core/picture/draw.js'
import type { Picture } from '../core/picture/store.js'
import { type SubjectLetter, signToken } from '../core/remote-file/proxy-token.rules.js'
import { transcodeAttachment } from '../core/video/moving.js'
import { mayCopy } from './media-policy.rules.js'

const named =
  (
    ctx: Pick<Context, 'addresses'>,
    id: string,
    letters: { main: SubjectLetter; small: SubjectLetter; still: SubjectLetter },
  ): Namer =>
  (copy) =>
    copyKey(signToken(ctx.addresses.secret, { letter: letters[copy], id }))

/** Keys of the copies of an attachment. */
export const attachmentNamer = (ctx: Pick<Context, 'addresses'>, id: string): Namer =>
  named(ctx, id, { main: 'a', small: 't', still: 's' })

/** Keys of the copies of an avatar, header or emoji. */
export const pictureNamer = (ctx: Pick<Context, 'addresses'>, id: string): Namer =>
  named(ctx, id, { main: 'p', small: 't', still: 's' })

/**
 * Name under which concurrent fetches are shared. Rows have the same name if their URL, size limit and form of the copy
 * are the same.
 */
export const attachmentName = ({ type, media_type, remote_url }: Attachment): string => {
  if (type === 'image') return `image ${media_type === 'image/gif'} ${remote_url}`
  return `${type === 'unknown' ? 'undeclared' : 'attachment'} ${remote_url}`
}
export const pictureName = (row: Picture): string => `${row.kind} ${row.remote_url}`

/** Circumstances of a fetch. `background`: true if no client waits for the file. */
export interface How {
  dir: string
  behind: boolean
  /** Called before a video or sound is transcoded. `takeSlot` throws if too many files wait for transcoding. */
  takeSlot(): void
  /** Called when the file is downloaded, before it is drawn and stored. */
  onFetched(): void
}

const download = async (
  ctx: Context,
  row: Attachment | Picture,
  { dir, behind: background, onFetched }: How,
  maxBytes: number,
) => {
  await ctx.downloads.fetch(row.remote_url ?? '', join(dir, 'in'), {
    maxBytes,
    mayFetch: (url) => mayCopy(ctx, row.domain, url),
    mayRequest: (host) => ctx.hosts.mayRequest(host, background),
  })
  onFetched()
  return fileTypeOf(await readHead(join(dir, 'in'), HEAD_BYTES))
}

/**
 * Fetches a remote file and draws it as an attachment. The type of the file is determined by its bytes, not by
 * declarations (A168).
 */
export const drawRemoteAttachment = async (ctx: Context, row: Attachment, how: How): Promise<DrawnAttachment> => {
  const { dir } = how
  const { imageBytes, videoBytes } = limits.media
  const ffmpeg = await ctx.ffmpeg.available()
  // A file without a declared type may be of any type, so the size limit of a picture applies.
  const isFilm = row.type !== 'image' && row.type !== 'unknown'
  const max = isFilm || (ffmpeg && row.media_type === 'image/gif') ? videoBytes : imageBytes
  const type = await download(ctx, row, how, max - 1)
  const name = attachmentNamer(ctx, row.id)
  const { kind, mediaType } = checkUpload(type, 1, { ffmpeg, avif: ctx.config.avif })
  const transcode = () => {
    how.takeSlot()
    return ctx.foreign.films.run(() => transcodeAttachment(ctx, dir, null, name))
  }
  if (kind !== 'image') return transcode()
  const motion = ffmpeg && mediaType === 'image/gif' ? 'leave' : 'keep'
  const drawn = await ctx.foreign.pictures.run(() => drawAttachment(ctx, dir, motion, name))
  return drawn === 'moves' ? transcode() : drawn
}

/** Fetches a remote file and draws it as an avatar, header or emoji. */
export const drawRemotePicture = async (ctx: Context, row: Picture, how: How) => {
  const max = REMOTE_PICTURE_BYTES[row.kind]
  // The kind is of a newer release. The fetch is tried again later, possibly by a process of that release.
  if (max === undefined) throw notYet('Remote data could not be fetched', { cause: new Error(`kind ${row.kind}`) })
  checkPicture('Picture', await download(ctx, row, how, max), 1, max)
  return ctx.foreign.pictures.run(() => drawPicture(ctx, how.dir, row.kind, pictureNamer(ctx, row.id)))
}
