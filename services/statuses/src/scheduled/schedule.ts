/** Schedules a status: validated as if it were posted now, stored as sent, published once. */
import type { ScheduledStatusParams, StatusApplication } from '@murmuration/contracts/entities'
import { fail, type ResultOf } from '@murmuration/contracts/kit'
import type { createStatus } from '@murmuration/contracts/statuses'
import type { z } from 'zod'
import { type Composed, isUncertain } from '../compose/index.js'
import type { Context } from '../context.js'
import { quotePolicyOf } from '../core/quote/rules.js'
import type { Draft } from '../core/status/draft.rules.js'
import { dropPlan, planStatus, statusOfKey, takeKey } from '../core/status/idempotency.store.js'
import { releaseMedia, takeMedia } from '../core/status/media.js'
import { checkScheduled } from './rules.js'
import { countScheduled, insertScheduled, isStored, type ScheduledRow } from './store.js'

type Input = z.output<(typeof createStatus)['input']>
export type Scheduled = ResultOf<(typeof createStatus)['output']>

/** Parameters of a scheduled status as in the API, with the validated texts and visibility. */
const paramsOf = (input: Input, draft: Draft, quotePolicy: number, appId: string | null): ScheduledStatusParams => ({
  text: draft.text,
  spoiler_text: draft.spoiler === '' ? null : draft.spoiler,
  visibility: draft.visibility,
  sensitive: draft.sensitive,
  language: draft.language,
  in_reply_to_id: input.in_reply_to_id ?? null,
  media_ids: input.media_ids?.length ? draft.mediaIds : null,
  poll: input.poll
    ? {
        options: input.poll.options ?? [],
        expires_in: Number(input.poll.expires_in),
        multiple: input.poll.multiple ?? false,
        hide_totals: input.poll.hide_totals ?? false,
      }
    : null,
  allowed_mentions: input.allowed_mentions ?? null,
  quoted_status_id: input.quoted_status_id ?? null,
  quote_approval_policy: quotePolicyOf(quotePolicy),
  application_id: appId,
  scheduled_at: null,
  idempotency: null,
  with_rate_limit: false,
})

class Replayed extends Error {}

/**
 * Releases attachments after a transaction with an unknown result that had no idempotency key, unless the scheduled
 * status is stored. If this read fails too, or the process ends before it, the attachments stay reserved for an id
 * without a status. The tick `check-reserved-attachments` releases them later.
 */
const releaseUnlessStored = async (ctx: Context, { id, account_id, media_ids }: ScheduledRow): Promise<void> => {
  if (media_ids.length === 0) return
  try {
    if (!(await ctx.db.tx((tx) => isStored(tx, account_id, id)))) await releaseMedia(ctx, id, media_ids)
  } catch (error) {
    ctx.log.warn({ error, scheduled: id }, 'attachments of a scheduled status could not be released')
  }
}

/** Stores a composed status until its time. Returns the stored row, or the id that the idempotency key identifies. */
export const schedule = async (
  ctx: Context,
  author: string,
  input: Input,
  composed: Composed,
  more: { at: Date; key: string | null; appId: string | null; application: StatusApplication | null },
): Promise<ScheduledRow | string> => {
  const { draft, quotePolicy } = composed
  const fresh = ctx.ids.next()
  // With attachments, concurrent attempts plan the same id, so that they reserve the attachments together.
  const planned = draft.mediaIds.length > 0 ? more.key : null
  const plan = planned === null ? { status_id: fresh, done: false } : await planStatus(ctx.db, author, planned, fresh)
  const id = plan.status_id
  if (plan.done) return id
  const row: ScheduledRow = {
    id,
    account_id: author,
    scheduled_at: more.at,
    params: paramsOf(input, draft, quotePolicy, more.appId),
    application: more.application,
    media_ids: draft.mediaIds,
    failure: null,
  }
  try {
    await takeMedia(ctx, author, id, draft.mediaIds, { scheduled: true })
    await ctx.db.tx(async (tx) => {
      if (more.key !== null && !(await takeKey(tx, author, more.key, id))) throw new Replayed()
      checkScheduled(await countScheduled(tx, author, more.at))
      await insertScheduled(tx, row)
    })
    return row
  } catch (error) {
    const replayed = error instanceof Replayed ? more.key : null
    const first = replayed === null ? null : await statusOfKey(ctx.db, author, replayed)
    // The attachments stay reserved if a row of this id is stored or may have been stored. With an idempotency key,
    // repeated and concurrent requests use the same id.
    if (isUncertain(error)) {
      if (more.key === null) await releaseUnlessStored(ctx, row)
    } else if (first !== id) {
      await releaseMedia(ctx, id, draft.mediaIds)
      if (planned !== null) await dropPlan(ctx.db, author, planned, id)
    }
    if (replayed === null) throw error
    if (first === null) throw fail('conflict', 'Please try again', { retryAfter: 1 })
    return first
  }
}
