/** Changes a status of one’s own (S-012, S-105, S-106). */
import { reply } from '@murmuration/contracts/kit'
import { editStatus } from '@murmuration/contracts/statuses'
import { quotePolicy } from '../../changes/compose.js'
import { editOwn } from '../../changes/edit-own.js'
import { readFocus } from '../../domain/focus.js'
import { QUOTE_POLICIES } from '../../domain/quote.js'
import { visibilityOf } from '../../domain/visibility.js'
import { handle } from '../../doors.js'
import { rowOf, setQuotePolicy } from '../../store/status.js'
import { showStatus } from '../../views/status.js'
import { noStatus } from '../../views/visible.js'

export const edit = handle(editStatus, async (ctx, viewer, { id, media_attributes, ...input }, request) => {
  const row = await rowOf(ctx.db, id)
  if (row?.author_id !== viewer.id || row.reblog_of_id !== null) throw noStatus()
  const media = (media_attributes ?? []).map((one) => ({
    id: one.id,
    description: one.description,
    focus: readFocus(one.focus),
  }))
  const changed = await editOwn(ctx, row, { ...input, media }, request)
  if (input.quote_approval_policy) {
    const usual = QUOTE_POLICIES[row.quote_policy] ?? 'nobody'
    await setQuotePolicy(ctx.db, id, quotePolicy(input.quote_approval_policy, usual, visibilityOf(row.visibility)))
  }
  const text = await showStatus(ctx, viewer.id, id)
  return changed ? text : reply(text, { headers: { 'X-Unchanged': '1' } })
})
