/** One poll by id, guarded by its status. */
import type { Poll } from '@murmuration/contracts/entities'
import type { Json } from '@murmuration/contracts/kit'
import type { Context } from '../context.js'
import { choicesOf, type PollRow, pollsOf } from '../store/poll.js'
import { pollText } from './poll.js'
import { type Found, noStatus, visibleStatus } from './visible.js'

/** A poll whose status the viewer may see; hidden and absent are the same answer. */
export const visiblePoll = async (
  ctx: Context,
  viewerId: string | null,
  id: string,
): Promise<{ row: PollRow; found: Found }> => {
  const row = (await pollsOf(ctx.db, [id])).get(id)
  if (!row) throw noStatus()
  return { row, found: await visibleStatus(ctx, viewerId, row.status_id) }
}

export const showPollOf = async (ctx: Context, viewerId: string | null, id: string): Promise<Json<Poll>> => {
  const { row } = await visiblePoll(ctx, viewerId, id)
  const choices = viewerId === null ? [] : ((await choicesOf(ctx.db, viewerId, [id])).get(id) ?? [])
  return pollText({ row, choices }, viewerId, ctx.clock.now())
}
