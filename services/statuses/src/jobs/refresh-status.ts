/** Reads a remote status again for what changes without an edit: the figures of its poll, likes and boosts, and whether it is there. */
import { fetchObject } from '@murmuration/contracts/federation'
import { refreshStatus as contract, statusHint } from '@murmuration/contracts/statuses'
import { heedAnswer } from '../changes/absence.js'
import { keepNote } from '../changes/resolve.js'
import { work } from '../doors.js'
import { rowOf } from '../store/status.js'

export const refreshStatus = work(contract, async (ctx, { status }) => {
  const row = await rowOf(ctx.db, status)
  if (!row || row.local || row.deleted_at !== null) return
  const { outcome, note } = await ctx.call(fetchObject, { url: row.uri, behind: true })
  await heedAnswer(ctx, row.uri, outcome)
  if (note === null || note.uri !== row.uri) return
  await keepNote(ctx, note, 0, 0)
  ctx.hints.send(statusHint, [status])
})
