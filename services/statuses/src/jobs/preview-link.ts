/** Looks at the link in a status and shows a preview of its page below it. */
import { previewLink as contract } from '@murmuration/contracts/statuses'
import { preview } from '../changes/preview.js'
import { work } from '../doors.js'
import { rowOf } from '../store/status.js'

export const previewLink = work(contract, async (ctx, { status }) => {
  const row = await rowOf(ctx.db, status)
  if (row) await preview(ctx, row)
})
