/** Reads a remote status again for what changes without an edit: the figures of its poll, likes and boosts. */
import { fetchObject } from '@murmuration/contracts/federation'
import { refreshStatus as contract, statusHint } from '@murmuration/contracts/statuses'
import { keepNote } from '../changes/resolve.js'
import { work } from '../doors.js'
import { rowOf } from '../store/status.js'

export const refreshStatus = work(contract, async (ctx, { status }) => {
  const row = await rowOf(ctx.db, status)
  if (!row || row.local || row.deleted_at !== null) return
  const { note } = await ctx.call(fetchObject, { url: row.uri })
  if (note === null || note.uri !== row.uri) return
  await keepNote(ctx, note, 0, 0)
  ctx.hints.send(statusHint, [status])
})
