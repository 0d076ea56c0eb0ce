/** Facts of statuses by id or uri, deleted ones marked. */
import { statusRecords } from '@murmuration/contracts/statuses'
import { idsByAddress } from '../../changes/address.js'
import { handle } from '../../doors.js'
import { idsByUri, rowsOf } from '../../store/status.js'
import { recordOf } from '../../views/record.js'

export const records = handle(statusRecords, async (ctx, _viewer, { ids = [], uris = [], pages = false }) => {
  const byUri = await (pages ? idsByAddress(ctx, ctx.db, uris) : idsByUri(ctx.db, uris))
  const rows = await rowsOf(ctx.db, [...new Set([...ids, ...byUri.values()])])
  const named = [...byUri].filter(([uri, id]) => rows.has(id) && rows.get(id)?.uri !== uri)
  return { records: [...rows.values()].map(recordOf), ...(named.length > 0 && { named: Object.fromEntries(named) }) }
})
