/** Rules of notes of staff: who may delete a note. */
import { fail, type Viewer } from '@murmuration/contracts/kit'

/** Throws 403 unless the note is the viewer's own. Operators, who are null, may delete any note. */
export const checkOwnNote = (by: Pick<Viewer, 'id'> | null, note: { account_id: string | null }): void => {
  if (by !== null && note.account_id !== by.id) throw fail('forbidden', 'Only its author can delete a note')
}
