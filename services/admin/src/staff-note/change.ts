/** Adds and deletes notes that staff write on reports and accounts. Each addition and each deletion writes an entry in the audit log. */
import { notFound, type Viewer } from '@murmuration/contracts/kit'
import type { Context } from '../context.js'
import { record } from '../core/audit-log/record.js'
import { staffTextOf } from '../core/staff-text.rules.js'
import { checkOwnNote } from './rules.js'
import { deleteStaffNote, insertStaffNote, lockStaffNote, type StaffNoteRow } from './store.js'
import { hiddenNote, noteRecord } from './view.js'

export interface NoteTarget {
  kind: StaffNoteRow['kind']
  id: string
  /** Text that identifies the report or account in the audit log. */
  name: string
}

/** Adds a note on a report or account. `by` is null for operators. */
export const addNote = async (
  ctx: Context,
  by: Viewer | null,
  target: NoteTarget,
  text: string,
): Promise<StaffNoteRow> => {
  const row = {
    id: ctx.ids.next(),
    kind: target.kind,
    target_id: target.id,
    account_id: by?.id ?? null,
    text: staffTextOf(text),
    created_at: ctx.clock.date(),
  }
  await ctx.db.tx(async (tx) => {
    await insertStaffNote(tx, row)
    const action = `create_${target.kind}_note` as const
    await record(ctx, tx, by, {
      action,
      targetId: row.id,
      target: target.name,
      after: noteRecord(row),
      hidden: { before: null, after: hiddenNote(row) },
    })
  })
  return row
}

/** Deletes a note. Throws 404 for a note on another report or account, and 403 for a note by another author. */
export const removeNote = (ctx: Context, by: Viewer | null, target: NoteTarget, id: string): Promise<void> =>
  ctx.db.tx(async (tx) => {
    const row = await lockStaffNote(tx, id)
    if (row?.kind !== target.kind || row.target_id !== target.id) throw notFound()
    checkOwnNote(by, row)
    await deleteStaffNote(tx, id)
    const action = `destroy_${target.kind}_note` as const
    await record(ctx, tx, by, {
      action,
      targetId: id,
      target: target.name,
      before: noteRecord(row),
      hidden: { before: hiddenNote(row), after: null },
    })
  })
