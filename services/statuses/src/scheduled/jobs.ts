/**
 * The job that publishes a due scheduled status once. A status that cannot be published stays in the list, and its
 * author is notified.
 */
import { errorText, Failure, isRetryable, type JobData } from '@murmuration/contracts/kit'
import { publishScheduled as publishScheduledJob, scheduledFailed } from '@murmuration/contracts/statuses'
import { timeOfId } from '@murmuration/kernel'
import { repliedToOf } from '../approval/index.js'
import { compose, createOnce, quotedOf } from '../compose/index.js'
import type { Context } from '../context.js'
import { releaseMedia, returnMedia, takeMedia } from '../core/status/media.js'
import { addToOwnHome } from '../feed/index.js'
import { work } from '../handlers.js'
import {
  type Attempt,
  beginPublishing,
  deletePublished,
  failedAttempts,
  markFailed,
  publishedBy,
  scheduledOf,
} from './store.js'

/**
 * Releases attachments of an attempt whose scheduled status is gone. An earlier attempt in a process of an earlier
 * release may have published the status after this attempt reserved its attachments. The attachments are then moved to
 * the published status.
 */
const releaseUnpublished = async (
  ctx: Context,
  { account_id, former_ids }: Attempt,
  attempt: string,
  mediaIds: readonly string[],
): Promise<void> => {
  const published = await publishedBy(ctx.db, former_ids)
  const kept = mediaIds.filter((one) => published?.media_ids.includes(one))
  try {
    if (published !== null) await takeMedia(ctx, account_id, published.id, kept, { from: attempt })
  } catch (error) {
    // If a later attempt has reserved the attachments, that attempt moves them to the published status.
    ctx.log.warn({ error, status: published?.id }, 'attachments of a published status could not be moved to it')
  }
  await releaseMedia(
    ctx,
    attempt,
    mediaIds.filter((one) => !kept.includes(one)),
  )
}

const publish = async (ctx: Context, row: Attempt): Promise<void> => {
  const { params } = row
  const composed = await compose(
    ctx,
    row.account_id,
    {
      ...params,
      status: params.text,
      media_ids: row.media_ids,
      sensitive: params.sensitive ?? undefined,
      allowed_mentions: params.allowed_mentions ?? undefined,
    },
    { locale: '', application: row.application },
  )
  const created = await createOnce(ctx, row.account_id, composed, {
    id: row.status_id,
    from: row.id,
    formerHolders: row.former_ids,
    inTransaction: async (tx) => (await deletePublished(tx, row.id, row.status_id)) > 0,
    // If the scheduled status is still in the list, its attachments are given back to it. Released attachments would be
    // deleted after a day.
    release: async (attempt, spare) =>
      (await scheduledOf(ctx.db, row.account_id, row.id)) === null
        ? releaseUnpublished(ctx, row, attempt, spare)
        : returnMedia(ctx, [attempt], row.id, spare),
  })
  if (created.full !== null) await addToOwnHome(ctx, row.account_id, { id: created.id, original: null })
}

/** Whether a lookup throws `not_found`. Any other error is thrown on. */
const isMissing = async (lookup: Promise<unknown>): Promise<boolean> => {
  try {
    await lookup
    return false
  } catch (error) {
    if (error instanceof Failure && error.code === 'not_found') return true
    throw error
  }
}

/**
 * The scheduled status without its parent, if publishing failed because the parent is deleted or hidden from the
 * author. Null if the parent was not the reason.
 */
const withoutParent = async (ctx: Context, row: Attempt): Promise<Attempt | null> => {
  const { in_reply_to_id } = row.params
  if (in_reply_to_id === null || !(await isMissing(repliedToOf(ctx, row.account_id, in_reply_to_id)))) return null
  return { ...row, params: { ...row.params, in_reply_to_id: null } }
}

/**
 * Returns the attachments of the attempts to a status that could not be published. The owner can see and change
 * attachments of a scheduled status, but not those of an attempt.
 */
const returnFailed = async (ctx: Context, id: string): Promise<void> => {
  const failed = await failedAttempts(ctx.db, id)
  if (failed !== null) await returnMedia(ctx, failed.attempts, id, failed.media_ids)
}

/** Marks a scheduled status as failed and notifies its author, unless it was marked before or another attempt began. */
const storeFailure = async (
  ctx: Context,
  row: Attempt,
  { failure, reason }: { failure: string; reason: 'quote' | 'other' },
): Promise<void> => {
  const isMarked = await ctx.db.tx(async (tx) => {
    if ((await markFailed(tx, row.id, row.status_id, ctx.clock.date(), failure)) === 0) return false
    const scheduledAt = row.scheduled_at.toISOString()
    await ctx.announce(tx, scheduledFailed, { id: row.id, account: row.account_id, reason, scheduledAt })
    return true
  })
  if (isMarked || row.failure !== null) await returnFailed(ctx, row.id)
}

const UNKNOWN = errorText('The post could not be published.')

const keep = async (ctx: Context, row: Attempt, error: unknown): Promise<void> => {
  const { quoted_status_id: quoted } = row.params
  // If the last error is a temporary one, the services that would look up the quoted status may still be unavailable,
  // so they are not called.
  const isLast = isRetryable(error)
  const isQuoteGone = !isLast && quoted !== null && (await isMissing(quotedOf(ctx, row.account_id, quoted)))
  ctx.log[isLast ? 'error' : 'info']({ scheduled: row.id, error }, 'a scheduled status could not be published')
  const failure = String(error instanceof Failure && !isLast ? error.text : UNKNOWN)
  await storeFailure(ctx, row, { failure, reason: isQuoteGone ? 'quote' : 'other' })
}

/**
 * Marks the scheduled status as failed if its job became a dead letter, because the handler crashed processes or never
 * ended. If the author gave the status a new time meanwhile, a later job publishes it.
 */
const gaveUp = async (ctx: Context, id: string, job: string): Promise<void> => {
  const row = await beginPublishing(ctx.db, id, ctx.ids.next(), { queuedBy: new Date(timeOfId(job)) })
  if (row === null) return returnFailed(ctx, id)
  await storeFailure(ctx, row, { failure: String(UNKNOWN), reason: 'other' })
}

const publishOnce = async (
  ctx: Context,
  { id, restored = false }: JobData<typeof publishScheduledJob>,
  tries: number,
): Promise<void> => {
  const row = await beginPublishing(ctx.db, id, ctx.ids.next(), { failed: restored })
  // An earlier try may have ended after it marked the status as failed, and before it returned the attachments.
  if (!row) return returnFailed(ctx, id)
  // After the last try, the failure is stored for the author. A dead letter would be visible to operators only.
  const mayRetry = (error: unknown) => isRetryable(error) && tries < publishScheduledJob.retry.times
  try {
    await publish(ctx, row)
  } catch (error) {
    if (mayRetry(error)) throw error
    try {
      const bare = isRetryable(error) ? null : await withoutParent(ctx, row)
      if (bare === null) await keep(ctx, row, error)
      else await publish(ctx, bare)
    } catch (second) {
      if (mayRetry(second)) throw second
      await keep(ctx, row, second)
    }
  }
}

export const publishScheduled = work(publishScheduledJob, (ctx, data, { tries }) => publishOnce(ctx, data, tries), {
  gaveUp: (ctx, { id }, job) => gaveUp(ctx, id, job.id),
  // A restored job publishes the status although it is marked as failed.
  restored: (data) => ({ ...data, restored: true }),
})
