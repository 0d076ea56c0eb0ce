/** Rules of notes of staff. */
import { expect, test } from 'vitest'
import { checkOwnNote } from './rules.js'

test('a note is deleted by its author and by operators only', () => {
  expect(() => checkOwnNote({ id: '11' }, { account_id: '11' })).not.toThrow()
  expect(() => checkOwnNote(null, { account_id: '11' })).not.toThrow()
  expect(() => checkOwnNote({ id: '12' }, { account_id: '11' })).toThrow('Only its author can delete a note')
  expect(() => checkOwnNote({ id: '12' }, { account_id: null })).toThrow('Only its author can delete a note')
})
