/** Tests of the rules of moves, without a store. */
import { expect, test } from 'vitest'
import { isSuccessor } from '../remote-account/handle.rules.js'
import { effectOfMove, movedRecently, nextMoveAt, targetFault } from './rules.js'

const own = {
  site: { origin: 'https://here.example', handleDomains: new Set(['handles.example', 'here.example']) },
  ownHosts: new Set(['handles.example', 'here.example']),
}
const self = { id: '1', uri: 'https://here.example/ap/users/1', url: null, username: 'Ada', domain: null }
const home = { id: '2', suspended: false, usable: true, moved_to_id: null, also_known_as: [self.uri] }
const DAY = 86_400_000

test.each([
  ['an account with this account as alias', home, null],
  ['an absent account', null, 'unknown'],
  ['a suspended account', { ...home, suspended: true }, 'unknown'],
  ['the account itself', { ...home, id: '1' }, 'same'],
  ['an account that moved itself', { ...home, moved_to_id: '3' }, 'moved'],
  ['an account with another alias', { ...home, also_known_as: ['https://here.example/ap/users/9'] }, 'no-alias'],
] as const)('60 61 the fault of a move to %s follows the table', (_name, where, fault) => {
  expect(targetFault(self, where, own)).toBe(fault)
})

test('an alias may be the page of the account', () => {
  const fault = (account: Parameters<typeof targetFault>[0], ...also_known_as: string[]) =>
    targetFault(account, { ...home, also_known_as }, own)
  for (const path of ['@ada', 'users/Ada', '@%61da', 'web/@ada/', 'ap/users/1/', 'ap/users/%31'])
    expect([path, fault(self, `https://here.example/${path}`)]).toEqual([path, null])
  expect(fault(self, 'https://handles.example/@ada')).toBe(null)
  for (const address of [
    'https://here.example/@ada2',
    'https://there.example/@ada',
    'https://here.example/@ada/1',
    'ada',
  ])
    expect(fault(self, address)).toBe('no-alias')
  const remote = {
    ...self,
    uri: 'https://there.example/u/9',
    url: 'https://there.example/ada.html',
    domain: 'there.example',
  }
  expect(fault(remote, 'https://there.example/other', 'https://there.example/ada.html')).toBe(null)
  expect(fault(remote, 'https://there.example/@ada')).toBe('no-alias')
})

test('a local account moves once in thirty days, a remote one once in seven', () => {
  const now = Date.parse('2026-05-01T00:00:00Z')
  expect(nextMoveAt(null, now)).toBe(null)
  expect(nextMoveAt(new Date(now - 29 * DAY), now)).toEqual(new Date(now + DAY))
  expect(nextMoveAt(new Date(now - 30 * DAY), now)).toBe(null)
  expect(movedRecently(new Date(now - 6 * DAY), now)).toBe(true)
  expect(movedRecently(new Date(now - 7 * DAY), now)).toBe(false)
  expect(movedRecently(null, now)).toBe(false)
})

const mover = { id: '5', silenced: false, hidden: false, there: false }
const local = { domain: null }
const remote = { domain: 'remote.example' }
const open = { id: '2', domain: null, locked: false }
const locked = { id: '2', domain: null, locked: true }
const away = { id: '2', domain: 'away.example', locked: false }

test.each([
  ['a remote target gets a request', mover, local, away, 'ask'],
  ['an unlocked local target is followed', mover, remote, open, 'follow'],
  ['a locked local target gets a request', mover, remote, locked, 'ask'],
  ['a limited follower sends a request', { ...mover, silenced: true }, remote, open, 'ask'],
  ['a move between local accounts needs no request', mover, local, locked, 'follow'],
  ['a follower with a block of the target stays', { ...mover, hidden: true }, local, away, 'stay'],
  ['the target itself stays', { ...mover, id: '2' }, local, open, 'stay'],
  ['a follower of the target only ends the old follow', { ...mover, there: true }, local, open, 'leave'],
] as const)('%s', (_name, who, from, to, way) => {
  expect(effectOfMove(who, from, to)).toBe(way)
})

const old = { id: '7', uri: 'https://a.example/users/1', username: 'Ann~7', domain: 'a.example' }
const successor = { id: '8', uri: 'https://a.example/users/2', username: 'ann', domain: 'a.example' }
const split = { ...successor, uri: 'https://social.a.example/users/2' }
const nobody = { outcome: 'not-found', actor: null }

test.each([
  ['the old actor is not found', old, successor, nobody, true],
  ['the old address returns the new actor', old, successor, { outcome: 'ok', actor: successor }, true],
  ['the old actor exists under another name', old, successor, { outcome: 'ok', actor: old }, false],
  ['the old address returns a third actor', old, successor, { outcome: 'ok', actor: split }, false],
  ['the old actor is deleted', old, successor, { outcome: 'gone', actor: null }, false],
  ['the fetch failed for now', old, successor, { outcome: 'later', actor: null }, false],
  ['the server refuses the fetch', old, successor, { outcome: 'refused', actor: null }, false],
  ['actor ids moved off the domain of the handle', old, split, nobody, true],
  [
    'actor ids were off the domain before, too',
    { ...old, uri: 'https://social.a.example/users/1' },
    split,
    nobody,
    true,
  ],
  ['actor ids moved between two other servers', { ...old, uri: 'https://b.example/users/1' }, split, nobody, false],
  ['the new account has another name', { ...old, username: 'ben~7' }, successor, nobody, false],
  ['the old account has its name again', { ...old, username: 'ann' }, successor, nobody, false],
  ['the domains differ', { ...old, domain: 'b.example' }, successor, nobody, false],
] as const)('actors 3 whether an account inherits a handle: %s', (_name, from, to, answer, is) => {
  expect(isSuccessor(from, to, answer)).toBe(is)
})
