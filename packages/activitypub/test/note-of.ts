/** Reads a foreign status that has nothing but what a test gives it. */

import type { IncomingNote } from '../src/vocabulary/note.js'
import { type ReadNoteOptions, readNote } from '../src/vocabulary/read-note.js'

export const noteId = 'https://remote.example/notes/1'
export const vera = 'https://remote.example/users/vera'

/** The status with these fields; throws when it is refused. */
export const noteOf = (fields: object, options?: ReadNoteOptions): IncomingNote => {
  const read = readNote({ id: noteId, type: 'Note', attributedTo: vera, ...fields }, options)
  if (!read.ok) throw new Error(read.reason)
  return read.note
}
