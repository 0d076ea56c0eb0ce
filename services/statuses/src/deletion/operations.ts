/** Deletes an own status and returns its source text, so that clients can offer to write it again. */
import type { DeletedStatus } from '@murmuration/contracts/entities'
import { deleteStatus, statusInvalidation } from '@murmuration/contracts/statuses'
import { showStatus } from '../core/render/show-status.js'
import { releaseMediaOf } from '../core/status/media.js'
import { lockForChange, rowOf, type StatusRow } from '../core/status/store.js'
import { noStatus } from '../core/visibility/find-status.js'
import { handle } from '../handlers.js'
import { removeStatus } from './remove.js'

/** Status JSON with the source text instead of the HTML. */
const withText = (text: string, row: StatusRow): DeletedStatus => {
  const { content: _html, ...rest } = JSON.parse(text)
  return { ...rest, text: row.text }
}

export const remove = handle(deleteStatus, async (ctx, viewer, { id, delete_media }) => {
  const row = await rowOf(ctx.db, id)
  if (row?.author_id !== viewer.id) throw noStatus()
  // The status is rendered before its deletion. The JSON is returned only after the commit.
  const text = await showStatus(ctx, viewer.id, id)
  await ctx.db.tx(async (tx) => {
    if (!(await lockForChange(tx, id, viewer.id))) throw noStatus()
    await removeStatus(ctx, tx, row)
  })
  ctx.invalidations.send(statusInvalidation, [id])
  await releaseMediaOf(ctx, [row], delete_media === true)
  return withText(text, row)
})
