/** Handlers that show an entry of the audit log and undo it. */
import { showAuditLogEntry, undoAuditLogEntry } from '@murmuration/contracts/admin'
import { notFound } from '@murmuration/contracts/kit'
import type { Context } from '../context.js'
import { auditById, type ListedRow } from '../core/audit-log/store.js'
import { auditEntryOf } from '../core/audit-log/view.js'
import { handle } from '../handlers.js'
import { refusalOf, textOfObstacle } from './rules.js'
import { undoEntry } from './undo.js'

const known = async (ctx: Context, id: string): Promise<ListedRow> => {
  const entry = await auditById(ctx.db, id)
  if (!entry) throw notFound()
  return entry
}

export const show = handle(showAuditLogEntry, async (ctx, viewer, { id }) => {
  const entry = await known(ctx, id)
  const outcome = await undoEntry(ctx, entry, { by: viewer, reason: null, dry: true })
  const code = 'obstacle' in outcome ? outcome.obstacle : null
  return {
    ...auditEntryOf(entry),
    reversible: code === null,
    obstacle: code && { code, text: textOfObstacle(code) },
  }
})

export const undo = handle(undoAuditLogEntry, async (ctx, viewer, { id, reason }) => {
  const outcome = await undoEntry(ctx, await known(ctx, id), { by: viewer, reason: reason ?? null, dry: false })
  if ('obstacle' in outcome) throw refusalOf(outcome.obstacle)
  return auditEntryOf(await known(ctx, outcome.undoneBy))
})
