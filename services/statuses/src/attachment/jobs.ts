/**
 * Jobs that call the media service. One deletes files of deleted statuses and preview cards. The other marks files that
 * an edit removed as reserved now, so that they are checked again.
 */
import { recheckAttachments, releaseAttachments } from '@murmuration/contracts/media'
import { recheckFiles, releaseFiles } from '@murmuration/contracts/statuses'
import { withLeases } from '../core/preview-card/lease.js'
import { work } from '../handlers.js'
import { imagesOf } from './store.js'

export const release = work(releaseFiles, async (ctx, { holders, files }) => {
  if (files === undefined) {
    await ctx.call(releaseAttachments, { status: holders, atOnce: true })
    return
  }
  await withLeases(ctx, holders, async () => {
    // After this job was queued, the linked page may have been read again, so that its preview card shows the picture
    // again.
    const shown = await imagesOf(ctx.db, holders)
    const ids = files.filter((id) => !shown.has(id))
    if (ids.length > 0) await ctx.call(releaseAttachments, { status: holders, ids, atOnce: true })
  })
})

export const recheck = work(recheckFiles, async (ctx, { status, files }) => {
  await ctx.call(recheckAttachments, { status, ids: files })
})
