/** Has media delete files of statuses and preview cards that are gone. */
import { releaseAttachments } from '@murmuration/contracts/media'
import { releaseFiles } from '@murmuration/contracts/statuses'
import { work } from '../handlers.js'
import { imagesOf } from './store.js'

export const release = work(releaseFiles, async (ctx, { holders, files }) => {
  // A page may have been read again since its card lost the picture.
  const shown = files === undefined ? new Set<string>() : await imagesOf(ctx.db, holders)
  const ids = files?.filter((id) => !shown.has(id))
  if (ids?.length === 0) return
  await ctx.call(releaseAttachments, { status: holders, ...(ids && { ids }), atOnce: true })
})
