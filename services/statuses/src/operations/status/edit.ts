/** Changes a status of one’s own (S-012, S-105, S-106). */
import { reply } from '@murmuration/contracts/kit'
import { editStatus } from '@murmuration/contracts/statuses'
import { editOwn } from '../../changes/edit-own.js'
import { changePolicy } from '../../changes/quote-policy.js'
import { readFocus } from '../../domain/focus.js'
import { handle } from '../../doors.js'
import { rowOf } from '../../store/status.js'
import { showStatus } from '../../views/status.js'
import { noStatus } from '../../views/visible.js'

export const edit = handle(editStatus, async (ctx, viewer, { id, media_attributes, ...input }, request) => {
  const row = await rowOf(ctx.db, id)
  if (row?.author_id !== viewer.id || row.reblog_of_id !== null) throw noStatus()
  const media = (media_attributes ?? []).map((one) => ({
    id: one.id,
    description: one.description,
    focus: readFocus(one.focus),
    thumbnail: one.thumbnail ?? undefined,
  }))
  const changed = await editOwn(ctx, row, { ...input, media }, request)
  if (input.quote_approval_policy) {
    await changePolicy(ctx, row, input.quote_approval_policy)
  }
  const text = await showStatus(ctx, viewer.id, id)
  return changed ? text : reply(text, { headers: { 'X-Unchanged': '1' } })
})
