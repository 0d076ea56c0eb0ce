/** Facts of accounts by id, actor id or handle; never asks the outside. */
import { accountRecords } from '@murmuration/contracts/accounts'
import { handleKeyOf } from '../../domain/handle.js'
import { handle } from '../../doors.js'
import { recordsByHandles, recordsByIds, recordsByUris } from '../../store/account-record.js'
import { recordOf } from '../../views/account-record.js'

export const accountRecordsOf = handle(accountRecords, async (ctx, _viewer, { ids = [], uris = [], handles = [] }) => {
  const keys = handles.map((one) => handleKeyOf(one, ctx.site)).filter((one) => one !== null)
  const found = await Promise.all([
    recordsByIds(ctx.db, ids),
    recordsByUris(ctx.db, uris),
    recordsByHandles(ctx.db, keys),
  ])
  const byId = new Map(found.flat().map((row) => [row.id, row]))
  return { records: [...byId.values()].map(recordOf) }
})
