/** Handlers that edit own statuses. */
import { reply } from '@murmuration/contracts/kit'
import { editStatus, setInteractionPolicy } from '@murmuration/contracts/statuses'
import { changePolicy, editOwn, requestedPolicy } from '../compose/index.js'
import { showStatus } from '../core/render/show-status.js'
import { rowOf } from '../core/status/store.js'
import { noStatus } from '../core/visibility/find-status.js'
import { handle } from '../handlers.js'
import { readFocus } from './focus.rules.js'

/** Edits an own status (S-012, S-105, S-106). */
export const edit = handle(editStatus, async (ctx, viewer, { id, media_attributes, ...input }, request) => {
  const row = await rowOf(ctx.db, id)
  if (row?.author_id !== viewer.id || row.reblog_of_id !== null) throw noStatus()
  const media = (media_attributes ?? []).map((one) => ({
    id: one.id,
    description: one.description,
    focus: readFocus(one.focus),
    thumbnail: one.thumbnail ?? undefined,
  }))
  // A refused edit changes nothing, so the policy is validated first.
  const policy = input.quote_approval_policy ? requestedPolicy(row, input.quote_approval_policy) : null
  const changed = await editOwn(ctx, row, { ...input, media }, request)
  if (policy !== null) await changePolicy(ctx, row, policy)
  const text = await showStatus(ctx, viewer.id, id)
  return changed ? text : reply(text, { headers: { 'X-Unchanged': '1' } })
})

/** Changes the quote policy of an own status, without a new version. */
export const interactionPolicy = handle(setInteractionPolicy, async (ctx, viewer, { id, quote_approval_policy }) => {
  const row = await rowOf(ctx.db, id)
  if (row?.author_id !== viewer.id || row.reblog_of_id !== null) throw noStatus()
  await changePolicy(ctx, row, requestedPolicy(row, quote_approval_policy))
  return showStatus(ctx, viewer.id, id)
})
