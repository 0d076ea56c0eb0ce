/** Gives attachments to a status: all or none, and each to one status only (F067). */
import { attachmentHint, takeAttachments } from '@murmuration/contracts/media'
import { checkDescription, refusedOf } from '../../domain/attachment.js'
import { safeFocus } from '../../domain/focus.js'
import { handle } from '../../doors.js'
import { attachmentsById, editAttachments, lockAttachments } from '../../store/attachment.js'
import { holdAttachments } from '../../store/holding.js'
import { attachmentRecord } from '../../views/attachment.js'

export const take = handle(takeAttachments, async (ctx, _viewer, input) => {
  const { owner, status, from, scheduled } = input
  const ids = [...new Set(input.ids)]
  const edits = (input.edits ?? []).map(({ id, description, focus }) => ({
    id,
    description: checkDescription(description),
    focus: safeFocus(focus) ?? undefined,
  }))
  const refused = await ctx.db.tx(async (tx) => {
    const found = refusedOf(await lockAttachments(tx, owner, ids), ids, status, from)
    if (found.missing.length > 0 || found.unprocessed.length > 0) return found
    await holdAttachments(tx, ids, status, scheduled ?? false)
    await editAttachments(
      tx,
      edits.filter((edit) => ids.includes(edit.id)),
    )
    return found
  })
  if (refused.missing.length > 0 || refused.unprocessed.length > 0) return { taken: [], ...refused }
  ctx.hints.send(attachmentHint, ids)
  const rows = new Map((await attachmentsById(ctx.db, ids)).map((row) => [row.id, row]))
  const taken = ids.map((id) => rows.get(id)).filter((row) => row !== undefined)
  return { taken: taken.map((row) => attachmentRecord(ctx.addresses, row)), ...refused }
})
