/** The job that reads the linked page of a status and shows its preview card. */
import { previewLink as previewLinkJob } from '@murmuration/contracts/statuses'
import { rowOf } from '../core/status/store.js'
import { work } from '../handlers.js'
import { preview } from './preview.js'
import { awaitPreview } from './store.js'

export const previewLink = work(previewLinkJob, async (ctx, { status }, { tries }) => {
  const row = await rowOf(ctx.db, status)
  if (!row) return
  // No try is used up while the domain blocks are not loaded. The tick queues the job again.
  if (!ctx.policy.loaded()) await ctx.db.tx((tx) => awaitPreview(tx, row.id, ctx.clock.date()))
  else await preview(ctx, row, tries < previewLinkJob.retry.times)
})
