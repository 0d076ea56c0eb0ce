/** Facts of statuses by id or uri. */
import { statusRecords } from '@murmuration/contracts/statuses'
import { localStatusId } from '../../domain/address.js'
import { handle } from '../../doors.js'
import { idsByUri, rowsOf } from '../../store/status.js'
import { recordOf } from '../../views/record.js'

export const records = handle(statusRecords, async (ctx, _viewer, { ids = [], uris = [] }) => {
  const known = await idsByUri(ctx.db, uris)
  const local = uris.flatMap((uri) => (known.has(uri) ? [] : (localStatusId(ctx.site.origin, uri) ?? [])))
  const rows = await rowsOf(ctx.db, [...new Set([...ids, ...known.values(), ...local])])
  return { records: [...rows.values()].map(recordOf) }
})
