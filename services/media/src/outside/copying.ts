/** Copies of other servers' files: whether one may be made, and making it on the work bench. */
import { join } from 'node:path'
import { limits } from '@murmuration/contracts/limits'
import type { Context } from '../context.js'
import { fileTypeOf, HEAD_BYTES } from '../domain/file-type.js'
import { type Letter, signToken } from '../domain/proxy-token.js'
import { remoteAddress } from '../domain/remote.js'
import { admitPicture, admitUpload, REMOTE_PICTURE_BYTES } from '../domain/upload.js'
import type { Attachment } from '../store/attachment.js'
import type { Picture } from '../store/picture.js'
import { readHead } from './bench.js'
import { copyKey } from './files.js'
import { transcodeAttachment } from './moving.js'
import { type DrawnAttachment, drawAttachment, drawPicture, type Namer } from './pictures.js'

/** False where moderators said that no media come from; while nobody knows what they said, nothing is fetched. */
export const mayCopy = (ctx: Pick<Context, 'policy' | 'site' | 'config'>, domain: string | null, url: URL): boolean => {
  if (!ctx.policy.loaded()) return false
  if (remoteAddress(url.href, [ctx.site.localDomain, ctx.site.webDomain]) === null) return false
  if (ctx.config.limitedFederation && !(domain !== null && ctx.policy.allows(domain))) return false
  const rules = [ctx.policy.domainRule(url.hostname), domain === null ? null : ctx.policy.domainRule(domain)]
  return rules.every((rule) => rule === null || !(rule.reject_media || rule.severity === 'suspend'))
}

const named =
  (ctx: Pick<Context, 'addresses'>, id: string, letters: { main: Letter; small: Letter; still: Letter }): Namer =>
  (copy) =>
    copyKey(signToken(ctx.addresses.secret, { letter: letters[copy], id }))

const download = async (ctx: Context, row: Attachment | Picture, dir: string, maxBytes: number) => {
  const mayFetch = (url: URL) => mayCopy(ctx, row.domain, url)
  await ctx.downloads.fetch(row.remote_url ?? '', join(dir, 'in'), { maxBytes, mayFetch })
  return fileTypeOf(await readHead(join(dir, 'in'), HEAD_BYTES))
}

/** The remote file as an attachment; what it is told by its bytes, whatever the other server says (A168). */
export const drawRemoteAttachment = async (ctx: Context, row: Attachment, dir: string): Promise<DrawnAttachment> => {
  const { imageBytes, videoBytes } = limits.media
  const ffmpeg = await ctx.ffmpeg.available()
  const most = row.type === 'image' && !(ffmpeg && row.media_type === 'image/gif') ? imageBytes : videoBytes
  const type = await download(ctx, row, dir, most - 1)
  const name = named(ctx, row.id, { main: 'a', small: 't', still: 's' })
  const { kind, mediaType } = admitUpload(type, 1, { ffmpeg, avif: ctx.config.avif })
  if (kind !== 'image') return transcodeAttachment(ctx, dir, null, name)
  const drawn = await drawAttachment(ctx, dir, ffmpeg && mediaType === 'image/gif' ? 'leave' : 'keep', name)
  return drawn === 'moves' ? transcodeAttachment(ctx, dir, null, name) : drawn
}

/** The remote file as an avatar, header or emoji. */
export const drawRemotePicture = async (ctx: Context, row: Picture, dir: string) => {
  const most = REMOTE_PICTURE_BYTES[row.kind]
  admitPicture('Picture', await download(ctx, row, dir, most), 1, most)
  return drawPicture(ctx, dir, row.kind, named(ctx, row.id, { main: 'p', small: 't', still: 's' }))
}
