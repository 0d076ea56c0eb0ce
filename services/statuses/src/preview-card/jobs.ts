/** The job that reads the linked page of a status and shows its preview card. */
import { previewLink as previewLinkJob } from '@murmuration/contracts/statuses'
import type { Context } from '../context.js'
import { rowOf } from '../core/status/store.js'
import { work } from '../handlers.js'
import { preview } from './preview.js'
import { awaitPreview } from './store.js'

const UNLOADED_MS = 30_000

/**
 * Time after 30 to 60 seconds. The process of the tick may have the domain blocks while this process lacks them. So an
 * earlier time would queue the links again and again.
 */
const unloadedDueAt = ({ clock }: Pick<Context, 'clock'>): Date =>
  new Date(clock.now() + UNLOADED_MS * (1 + Math.random()))

export const previewLink = work(previewLinkJob, async (ctx, { status }, { tries }) => {
  const row = await rowOf(ctx.db, status)
  if (!row) return
  // No try is used up while the domain blocks are not loaded. The tick queues the job again.
  if (!ctx.policy.loaded()) await ctx.db.tx((tx) => awaitPreview(tx, row.id, unloadedDueAt(ctx)))
  else await preview(ctx, row, tries < previewLinkJob.retry.times)
})
