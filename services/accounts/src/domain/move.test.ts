/** Rules of moving without any store. */
import { expect, test } from 'vitest'
import { homeFault, movedRecently, nextMoveAt, wayOf } from './move.js'

const self = { id: '1', uri: 'https://here.example/ap/users/1' }
const home = { id: '2', suspended: false, usable: true, moved_to_id: null, also_known_as: [self.uri] }
const DAY = 86_400_000

test.each([
  ['a home that names this account', home, null],
  ['nobody', null, 'unknown'],
  ['a suspended one', { ...home, suspended: true }, 'unknown'],
  ['the account itself', { ...home, id: '1' }, 'same'],
  ['one that moved on', { ...home, moved_to_id: '3' }, 'moved'],
  ['one that names another', { ...home, also_known_as: ['https://here.example/ap/users/9'] }, 'no-alias'],
] as const)('60 61 moving to %s', (_name, where, fault) => {
  expect(homeFault(self, where)).toBe(fault)
})

test('a person moves once in thirty days, a remote account is believed once in seven', () => {
  const now = Date.parse('2026-05-01T00:00:00Z')
  expect(nextMoveAt(null, now)).toBe(null)
  expect(nextMoveAt(new Date(now - 29 * DAY), now)).toEqual(new Date(now + DAY))
  expect(nextMoveAt(new Date(now - 30 * DAY), now)).toBe(null)
  expect(movedRecently(new Date(now - 6 * DAY), now)).toBe(true)
  expect(movedRecently(new Date(now - 7 * DAY), now)).toBe(false)
  expect(movedRecently(null, now)).toBe(false)
})

const mover = { id: '5', silenced: false, apart: false, there: false }
const local = { domain: null }
const remote = { domain: 'remote.example' }
const open = { id: '2', domain: null, locked: false }
const locked = { id: '2', domain: null, locked: true }
const away = { id: '2', domain: 'away.example', locked: false }

test.each([
  ['elsewhere is asked', mover, local, away, 'ask'],
  ['here and open is followed', mover, remote, open, 'follow'],
  ['here and locked is asked', mover, remote, locked, 'ask'],
  ['limited people ask', { ...mover, silenced: true }, remote, open, 'ask'],
  ['between two homes here nobody is asked', mover, local, locked, 'follow'],
  ['who blocks the new home stays', { ...mover, apart: true }, local, away, 'stay'],
  ['the new home itself stays', { ...mover, id: '2' }, local, open, 'stay'],
  ['who is there already only leaves', { ...mover, there: true }, local, open, 'leave'],
] as const)('%s', (_name, who, from, to, way) => {
  expect(wayOf(who, from, to)).toBe(way)
})
