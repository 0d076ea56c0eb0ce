/** Has media delete files of statuses and preview cards that are gone. */
import { releaseAttachments } from '@murmuration/contracts/media'
import { releaseFiles } from '@murmuration/contracts/statuses'
import { work } from '../doors.js'

export const release = work(releaseFiles, async (ctx, { holders }) => {
  await ctx.call(releaseAttachments, { status: holders, atOnce: true })
})
