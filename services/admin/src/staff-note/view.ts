/** Notes of staff in three forms: for the API, for the audit log, and for undo. */
import type { StaffNote } from '@murmuration/contracts/admin'
import type { StaffNoteRow } from './store.js'

/** A note of staff in API form, without its author. */
export const staffNoteOf = ({ id, text, created_at }: StaffNoteRow): Omit<StaffNote, 'account'> => ({
  id,
  text,
  created_at: created_at.toISOString(),
})

/**
 * The part of a note that the audit log shows. The text of the note is left out, because readers of the log may not be
 * permitted to read notes.
 */
export const noteRecord = ({ id: _id, text: _text, ...note }: StaffNoteRow) => note

/** The part of a note that only undo reads. The audit log does not show it. */
export const hiddenNote = ({ text }: { text: string }) => ({ text })
