/** Rules of notes of staff: which texts are valid, and who may delete a note. */
import { errorText, fail, invalidField, type Viewer } from '@murmuration/contracts/kit'
import { limits } from '@murmuration/contracts/limits'

export const noteTextOf = (given: string): string => {
  const text = given.trim()
  const max = limits.accounts.moderationNoteCharacters
  if (text === '') throw invalidField("Text can't be blank")
  if ([...text].length > max)
    throw invalidField(errorText('Text is too long (maximum is {most} characters)', { most: max }))
  return text
}

/** Throws 403 unless the note is the viewer's own. Operators, who are null, may delete any note. */
export const checkOwnNote = (by: Pick<Viewer, 'id'> | null, note: { account_id: string | null }): void => {
  if (by !== null && note.account_id !== by.id) throw fail('forbidden', 'Only its author can delete a note')
}
