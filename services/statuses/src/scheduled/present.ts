/** ScheduledStatus JSON. */
import { splice } from '@murmuration/cards'
import type { ScheduledStatus } from '@murmuration/contracts/entities'
import { type Json, toJson } from '@murmuration/contracts/kit'
import type { Context } from '../context.js'
import type { ScheduledRow } from './store.js'

const waiting = (row: ScheduledRow) => ({
  id: row.id,
  scheduled_at: row.scheduled_at.toISOString(),
  params: row.params,
  ...(row.failure === null ? {} : { error: row.failure }),
})

/** ScheduledStatus JSON, in the order of the rows. */
export const scheduledTexts = async (ctx: Context, rows: readonly ScheduledRow[]): Promise<Json<ScheduledStatus>[]> => {
  const media = await ctx.mediaCards.many(rows.flatMap((row) => row.media_ids))
  return rows.map((row) =>
    splice<ScheduledStatus>(toJson(waiting(row)), {
      media_attachments: `[${row.media_ids.flatMap((id) => media.get(id) ?? []).join(',')}]`,
    }),
  )
}

export const scheduledText = async (ctx: Context, row: ScheduledRow): Promise<Json<ScheduledStatus>> =>
  (await scheduledTexts(ctx, [row]))[0] ?? ('{}' as Json<ScheduledStatus>)
