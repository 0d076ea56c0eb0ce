/** Rules of moving without any store. */
import { expect, test } from 'vitest'
import { isHeir } from '../remote-account/handle.rules.js'
import { movedRecently, nextMoveAt, targetFault, wayOf } from './rules.js'

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
  expect(targetFault(self, where)).toBe(fault)
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

const old = { id: '7', uri: 'https://a.example/users/1', username: 'Ann~7', domain: 'a.example' }
const heir = { id: '8', uri: 'https://a.example/users/2', username: 'ann', domain: 'a.example' }
const split = { ...heir, uri: 'https://social.a.example/users/2' }
const nobody = { outcome: 'not-found', actor: null }

test.each([
  ['nobody is there any more', old, heir, nobody, true],
  ['the new actor answers there', old, heir, { outcome: 'ok', actor: heir }, true],
  ['whoever lives there got another name', old, heir, { outcome: 'ok', actor: old }, false],
  ['a third actor answers there', old, heir, { outcome: 'ok', actor: split }, false],
  ['who left is not lost', old, heir, { outcome: 'gone', actor: null }, false],
  ['nothing was learnt', old, heir, { outcome: 'later', actor: null }, false],
  ['its server does not say', old, heir, { outcome: 'refused', actor: null }, false],
  ['addresses moved off the domain of the handle', old, split, nobody, true],
  ['addresses stayed off it', { ...old, uri: 'https://social.a.example/users/1' }, split, nobody, true],
  [
    'addresses moved from one other server to another',
    { ...old, uri: 'https://b.example/users/1' },
    split,
    nobody,
    false,
  ],
  ['it lost its name to somebody else', { ...old, username: 'ben~7' }, heir, nobody, false],
  ['it has a name again', { ...old, username: 'ann' }, heir, nobody, false],
  ['another domain', { ...old, domain: 'b.example' }, heir, nobody, false],
] as const)('actors 3 the heir of a handle: %s', (_name, from, to, answer, is) => {
  expect(isHeir(from, to, answer)).toBe(is)
})
