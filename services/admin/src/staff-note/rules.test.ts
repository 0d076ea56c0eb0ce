/** Rules of notes of staff. */
import { expect, test } from 'vitest'
import { checkOwnNote, noteTextOf } from './rules.js'

test('a note is trimmed, and neither blank nor too long', () => {
  expect(noteTextOf(' spam ')).toBe('spam')
  expect(() => noteTextOf(' \n')).toThrow("Text can't be blank")
  expect(() => noteTextOf('x'.repeat(2_001))).toThrow('Text is too long (maximum is 2000 characters)')
})

test('a note is deleted by its author and by operators only', () => {
  expect(() => checkOwnNote({ id: '11' }, { account_id: '11' })).not.toThrow()
  expect(() => checkOwnNote(null, { account_id: '11' })).not.toThrow()
  expect(() => checkOwnNote({ id: '12' }, { account_id: '11' })).toThrow('Only its author can delete a note')
  expect(() => checkOwnNote({ id: '12' }, { account_id: null })).toThrow('Only its author can delete a note')
})
