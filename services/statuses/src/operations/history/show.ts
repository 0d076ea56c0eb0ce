/** Every version of a status, the original first. */
import { jsonArray } from '@murmuration/contracts/kit'
import { showHistory } from '@murmuration/contracts/statuses'
import { handle } from '../../doors.js'
import { rowOf } from '../../store/status.js'
import { historyOf } from '../../views/history.js'
import { noStatus, visibleStatus } from '../../views/visible.js'

export const show = handle(showHistory, async (ctx, viewer, { id }) => {
  const { proper } = await visibleStatus(ctx, viewer?.id ?? null, id)
  const row = await rowOf(ctx.db, proper.id)
  if (!row) throw noStatus()
  return jsonArray(await historyOf(ctx, viewer?.id ?? null, row))
})
