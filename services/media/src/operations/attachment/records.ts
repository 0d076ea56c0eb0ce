/** Facts of attachments for other services. */
import { attachmentRecords } from '@murmuration/contracts/media'
import { handle } from '../../doors.js'
import { attachmentsById } from '../../store/attachment.js'
import { attachmentRecord } from '../../views/attachment.js'

export const records = handle(attachmentRecords, async (ctx, _viewer, { ids }) => {
  const known = await attachmentsById(ctx.db, ids)
  const rows = new Map(known.map((row) => [row.id, row]))
  const found = ids.map((id) => rows.get(id)).filter((row) => row !== undefined)
  return { records: found.map((row) => attachmentRecord(ctx.addresses, row)) }
})
