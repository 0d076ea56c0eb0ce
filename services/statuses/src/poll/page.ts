/** One poll by id, guarded by its status. */
import type { Poll } from '@murmuration/contracts/entities'
import type { Json } from '@murmuration/contracts/kit'
import type { Context } from '../context.js'
import { choicesOf, type PollRow, pollsOf } from '../core/poll/store.js'
import { pollText } from '../core/poll/view.js'
import { type Found, NO_ID, noStatus, visibleStatus } from '../core/visibility/find-status.js'

/** A poll whose status the viewer may see; a poll that does not exist takes the same statements and requests as a hidden one. */
export const visiblePoll = async (
  ctx: Context,
  viewerId: string | null,
  id: string,
): Promise<{ row: PollRow; found: Found }> => {
  const row = (await pollsOf(ctx.db, [id])).get(id)
  const found = await visibleStatus(ctx, viewerId, row?.status_id ?? NO_ID)
  if (!row) throw noStatus()
  return { row, found }
}

/** The poll as the viewer sees it, who may see its status. */
export const showPollOf = async (ctx: Context, viewerId: string | null, id: string): Promise<Json<Poll>> =>
  pollFor(ctx, viewerId, (await visiblePoll(ctx, viewerId, id)).row)

/** The same for a row of `visiblePoll`. */
export const pollFor = async (ctx: Context, viewerId: string | null, row: PollRow): Promise<Json<Poll>> => {
  const choices = viewerId === null ? [] : ((await choicesOf(ctx.db, viewerId, [row.id])).get(row.id) ?? [])
  return pollText({ row, choices }, viewerId, ctx.clock.now())
}
