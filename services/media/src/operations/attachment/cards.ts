/** MediaAttachment JSON for other services. */
import { attachmentCards } from '@murmuration/contracts/media'
import { handle } from '../../doors.js'
import { attachmentsById } from '../../store/attachment.js'
import { attachmentText } from '../../views/attachment.js'

export const cards = handle(attachmentCards, async (ctx, _viewer, { ids }) => {
  const rows = await attachmentsById(ctx.db, ids)
  return new Map(rows.map((row) => [row.id, attachmentText(ctx.addresses, row)]))
})
