/** Handler that stores the attachments of a remote status, and queues new ones for fetching. */

import { limits } from '@murmuration/contracts/limits'
import { attachmentInvalidation, fetchRemoteJob, putRemoteAttachments } from '@murmuration/contracts/media'
import { remoteAddress } from '@murmuration/text'
import { claimedSize, cutText, isCopied, safeBlurhash, typeOfMedia } from '../core/attachment/declared-file.rules.js'
import { safeFocus } from '../core/attachment/focus.rules.js'
import { keysOf } from '../core/attachment/store.js'
import { deleteFiles } from '../core/file/store-files.js'
import { insertUnusedFiles } from '../core/file/unused.store.js'
import { geometryOf } from '../core/image/geometry.rules.js'
import { REQUEUE_AFTER_MS } from '../core/remote-file/retry.rules.js'
import { handle } from '../handlers.js'
import { dropRemoteAttachments, putRemoteAttachments as put } from './remote-attachment.store.js'

export const putRemote = handle(putRemoteAttachments, async (ctx, _viewer, input) => {
  const { owner, status, domain } = input
  const own = [ctx.site.localDomain, ctx.site.webDomain]
  const ffmpeg = await ctx.ffmpeg.available()
  const items = input.attachments.flatMap((one) => {
    const remote_url = remoteAddress(one.url, own)
    if (remote_url === null) return []
    const type = typeOfMedia(one.media_type)
    const size = claimedSize(one.width, one.height)
    return {
      id: ctx.ids.next(),
      remote_url,
      type,
      media_type: cutText(one.media_type, 100),
      state: isCopied(type, one.media_type, ffmpeg) ? ('remote' as const) : ('uncached' as const),
      description: one.description === null ? null : cutText(one.description, limits.media.descriptionCharacters),
      blurhash: safeBlurhash(one.blurhash),
      meta: size && type === 'image' ? { original: geometryOf(size) } : {},
      focus: safeFocus(one.focus),
    }
  })
  const distinct = [...new Map(items.map((item) => [item.remote_url, item])).values()]
  const now = ctx.clock.date()
  const retryAt = new Date(now.getTime() + REQUEUE_AFTER_MS)
  const { rows, keys } = await ctx.db.tx(async (tx) => {
    const urls = distinct.map((item) => item.remote_url)
    const gone = input.keepOthers ? [] : keysOf(await dropRemoteAttachments(tx, status, urls))
    await insertUnusedFiles(tx, gone, now)
    const reservedSince = input.keepOthers ? now : null
    const written = await put(tx, { owner, status, domain: domain ?? null, now, retryAt, reservedSince }, distinct)
    const waiting = new Set(distinct.filter((item) => item.state === 'remote').map((item) => item.remote_url))
    const fresh = written.filter((row) => row.fresh && waiting.has(row.remote_url))
    await ctx.queue(tx, fetchRemoteJob, ...fresh.map(({ id }) => ({ what: 'attachment' as const, id })))
    return { rows: new Map(written.map((row) => [row.remote_url, row.id])), keys: gone }
  })
  await deleteFiles(ctx, keys)
  const ids = distinct.map((item) => rows.get(item.remote_url)).filter((id) => id !== undefined)
  ctx.invalidations.send(attachmentInvalidation, ids)
  return { ids }
})
