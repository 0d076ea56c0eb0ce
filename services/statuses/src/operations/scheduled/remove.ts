/** Takes a waiting status back. */
import { notFound } from '@murmuration/contracts/kit'
import { removeScheduled } from '@murmuration/contracts/statuses'
import { releaseMedia } from '../../changes/media.js'
import { handle } from '../../doors.js'
import { deleteScheduled, scheduledOf } from '../../store/scheduled.js'

export const remove = handle(removeScheduled, async (ctx, viewer, { id }) => {
  const row = await scheduledOf(ctx.db, viewer.id, id)
  if (!row || (await ctx.db.tx((tx) => deleteScheduled(tx, id))) === 0) throw notFound()
  await releaseMedia(ctx, id, row.media_ids)
  return {}
})
