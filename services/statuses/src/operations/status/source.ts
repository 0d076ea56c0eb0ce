/** The text of a status as it was typed. */
import { sourceOfStatus } from '@murmuration/contracts/statuses'
import { htmlToPlainText } from '@murmuration/text'
import { handle } from '../../doors.js'
import { rowOf } from '../../store/status.js'
import { noStatus, visibleStatus } from '../../views/visible.js'

export const source = handle(sourceOfStatus, async (ctx, viewer, { id }) => {
  await visibleStatus(ctx, viewer.id, id)
  const row = await rowOf(ctx.db, id)
  if (!row) throw noStatus()
  return { id, text: row.local ? row.text : htmlToPlainText(row.html), spoiler_text: row.spoiler_text }
})
