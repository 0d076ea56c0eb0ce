/** Loads one poll by id and checks that the viewer may see its status. */
import type { Poll } from '@murmuration/contracts/entities'
import type { Json } from '@murmuration/contracts/kit'
import type { Context } from '../context.js'
import { choicesOf, type PollRow, pollsOf } from '../core/poll/store.js'
import { pollText } from '../core/poll/view.js'
import { type Found, NO_ID, noStatus, visibleStatus } from '../core/visibility/find-status.js'

/** A poll whose status the viewer may see. A missing poll causes the same statements and requests as a hidden one. */
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

/** Poll JSON for a viewer. Throws if the viewer may not see the status. */
export const showPollOf = async (ctx: Context, viewerId: string | null, id: string): Promise<Json<Poll>> =>
  pollFor(ctx, viewerId, (await visiblePoll(ctx, viewerId, id)).row)

/** Poll JSON for a row that `visiblePoll` returned. */
export const pollFor = async (ctx: Context, viewerId: string | null, row: PollRow): Promise<Json<Poll>> => {
  const choices = viewerId === null ? [] : ((await choicesOf(ctx.db, viewerId, [row.id])).get(row.id) ?? [])
  return pollText({ row, choices }, viewerId, ctx.clock.now())
}
