/** Undoes additions and deletions of notes of staff. An undo is possible only for the author of the note. */
import { createAccountNote, createReportNote } from '@murmuration/contracts/admin'
import type { AnyOperation } from '@murmuration/contracts/kit'
import { z } from 'zod'
import type { Context } from '../context.js'
import type { AuditRow } from '../core/audit-log/rules.js'
import { deleteStaffNote, hiddenNote, insertStaffNote, lockStaffNote, type StaffNoteRow } from '../staff-note/index.js'
import { ranked } from './ranked.js'
import { recordedDate, rowReversal } from './row.js'

const Note = z.object({
  kind: z.enum(['report', 'account']),
  target_id: z.string(),
  account_id: z.string().nullable(),
  text: z.string(),
  created_at: recordedDate(),
})

const withoutText = ({ text: _text, ...note }: z.output<typeof Note>) => note

const noteReversal = (needs: AnyOperation) =>
  rowReversal<StaffNoteRow, z.output<typeof Note>>({
    needs,
    recorded: Note,
    recordOf: (note) => note && withoutText(note),
    hiddenOf: hiddenNote,
    permits: (by, states) => states.every((note) => note.account_id === by.id),
    lock: lockStaffNote,
    async store(_ctx, tx, { id, to }) {
      await (to === null ? deleteStaffNote(tx, id) : insertStaffNote(tx, { id, ...to }))
    },
  })

/** Part of an audit log entry that contains the account of a note. */
const About = z.object({ target_id: z.string() })
const aboutOf = ({ before, after }: AuditRow): string | null => About.safeParse(after ?? before).data?.target_id ?? null

/** Account id of each note, by entry id. An undo needs a higher rank than that account, like the addition and deletion of a note. */
const accountsOf = async (_ctx: Context, entries: readonly AuditRow[]) =>
  new Map(
    entries.flatMap((entry) => {
      const about = aboutOf(entry)
      return about === null ? [] : [[entry.id, about] as const]
    }),
  )

export const reportNotes = noteReversal(createReportNote)
export const accountNotes = ranked(noteReversal(createAccountNote), accountsOf)
