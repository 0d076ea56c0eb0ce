/** The job that reads the linked page of a status and shows its preview card. */
import { previewLink as previewLinkJob } from '@murmuration/contracts/statuses'
import { rowOf } from '../core/status/store.js'
import { work } from '../handlers.js'
import { preview } from './preview.js'

export const previewLink = work(previewLinkJob, async (ctx, { status }, { tries }) => {
  const row = await rowOf(ctx.db, status)
  if (row) await preview(ctx, row, tries < previewLinkJob.retry.times)
})
