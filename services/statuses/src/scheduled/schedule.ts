/** Schedules a status: validated as if it were posted now, stored as sent, published once. */
import type { ScheduledStatusParams, StatusApplication } from '@murmuration/contracts/entities'
import { isNoResponse, type ResultOf } from '@murmuration/contracts/kit'
import type { createStatus } from '@murmuration/contracts/statuses'
import type { z } from 'zod'
import type { Composed } from '../compose/index.js'
import type { Context } from '../context.js'
import { quotePolicyOf } from '../core/quote/rules.js'
import { releaseMedia } from '../core/status/media.js'
import { storeOnce } from '../core/status/store-once.js'
import { checkScheduled } from './rules.js'
import { countScheduled, insertScheduled, isStored, type ScheduledRow } from './store.js'

type Input = z.output<(typeof createStatus)['input']>
export type Scheduled = ResultOf<(typeof createStatus)['output']>

/**
 * Parameters of a scheduled status as in the API, with the validated texts and visibility. A reply to a boost, or the
 * quote of one, names the original, which stays if the boost is undone.
 */
const paramsOf = (
  input: Input,
  { draft, parentId, quotedId }: Composed,
  quotePolicy: number,
  appId: string | null,
): ScheduledStatusParams => ({
  text: draft.text,
  spoiler_text: draft.spoiler === '' ? null : draft.spoiler,
  visibility: draft.visibility,
  sensitive: draft.sensitive,
  language: draft.language,
  in_reply_to_id: parentId,
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
  quoted_status_id: quotedId,
  quote_approval_policy: quotePolicyOf(quotePolicy),
  application_id: appId,
  scheduled_at: null,
  idempotency: null,
  with_rate_limit: false,
})

/**
 * Releases attachments after a transaction with an unknown result that had no idempotency key, unless the scheduled
 * status is stored. If reading the scheduled status fails, or the process ends before it, the attachments stay reserved
 * for an id without a status. The tick `check-reserved-attachments` releases them later.
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
  const row: ScheduledRow = {
    id: ctx.ids.next(),
    account_id: author,
    scheduled_at: more.at,
    params: paramsOf(input, composed, quotePolicy, more.appId),
    application: more.application,
    media_ids: draft.mediaIds,
    failure: null,
  }
  try {
    const { id, stored } = await storeOnce<ScheduledRow>(ctx, {
      id: row.id,
      author,
      key: more.key,
      mediaIds: draft.mediaIds,
      taking: { scheduled: true },
      insert: async (tx, of) => {
        checkScheduled(await countScheduled(tx, author, more.at))
        await insertScheduled(tx, { ...row, id: of })
        return { ...row, id: of }
      },
    })
    return stored ?? id
  } catch (error) {
    // With an idempotency key, the attachments are kept, because repeated and concurrent requests use them.
    if (more.key === null && isNoResponse(error)) await releaseUnlessStored(ctx, row)
    throw error
  }
}
