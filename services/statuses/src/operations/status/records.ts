/** Facts of statuses by id or uri, deleted ones marked. */
import { statusRecords } from '@murmuration/contracts/statuses'
import { handle } from '../../doors.js'
import { idsByUri, rowsOf } from '../../store/status.js'
import { recordOf } from '../../views/record.js'

export const records = handle(statusRecords, async (ctx, _viewer, { ids = [], uris = [] }) => {
  const named = await idsByUri(ctx.db, uris)
  const rows = await rowsOf(ctx.db, [...new Set([...ids, ...named.values()])])
  return { records: [...rows.values()].map(recordOf) }
})
