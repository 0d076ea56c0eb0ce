/** Which collections have these ids or addresses, and who keeps them. */
import { collectionRecords } from '@murmuration/contracts/accounts'
import { collectionAddress, numberInAddress } from '../../domain/collection.js'
import { handle } from '../../doors.js'
import { collectionsByIds, collectionsByUris } from '../../store/collection.js'

export const getCollectionRecords = handle(collectionRecords, async (ctx, _viewer, { ids = [], uris = [] }) => {
  const numbers = uris.map(numberInAddress).filter((id) => id !== null)
  const [byNumber, byUri] = await Promise.all([
    collectionsByIds(ctx.db, [...new Set([...ids, ...numbers])]),
    collectionsByUris(ctx.db, uris),
  ])
  const rows = new Map([...byNumber, ...byUri].map((row) => [row.id, row]))
  const records = [...rows.values()].map((row) => ({
    id: row.id,
    uri: row.uri ?? collectionAddress(row.owner_uri, row.id),
    owner: row.account_id,
  }))
  return { records: records.filter((one) => ids.includes(one.id) || uris.includes(one.uri)) }
})
