/** Statuses that each place hides. */
import type { AccountRelationship } from '@murmuration/contracts/accounts'
import { describe, expect, test } from 'vitest'
import { isHidden, type Place, type Placed, subjectsOf } from './place.rules.js'

const plain: AccountRelationship = {
  following: false,
  showing_reblogs: false,
  followed_by: false,
  followed_by_since: null,
  requested: false,
  blocking: false,
  blocked_by: false,
  muting: false,
  muting_notifications: false,
  domain_blocking: false,
}
const status: Placed = {
  authorId: '1',
  authorSilenced: false,
  reblogOfAuthorId: '2',
  mentions: ['3'],
}
const places: Place[] = ['home', 'list', 'public', 'thread', 'account', 'notifications', 'report', 'direct', 'single']
const hiding = (relationships: Record<string, Partial<AccountRelationship>>, more: Partial<Placed> = {}): string =>
  places
    .filter((place) =>
      isHidden(
        place,
        '9',
        { ...status, ...more },
        new Map(['1', '2', '3'].map((id) => [id, { ...plain, ...relationships[id] }])),
      ),
    )
    .join(' ')

describe('places', () => {
  const table: [string, string, string][] = [
    ['nobody is special', '', ''],
    ['1 blocking', 'the author is blocked', 'home list public thread'],
    ['1 muting', 'the author is muted', 'home list public thread'],
    ['1 blocked_by', 'the author blocks', 'home list public thread'],
    ['1 domain_blocking', 'the author’s domain is blocked', 'home list public thread'],
    ['2 blocking', 'A069 the boosted author is blocked', 'home list account'],
    ['2 muting', 'the boosted author is muted', 'home list account'],
    ['2 blocked_by', 'the boosted author blocks', 'home list account'],
    ['2 domain_blocking', 'the boosted author’s domain is blocked', 'home list account'],
    ['3 blocking', 'somebody mentioned is blocked', 'home list'],
    ['3 muting', 'somebody mentioned is muted', 'home list'],
    ['3 blocked_by', 'somebody mentioned blocks', ''],
  ]
  for (const [what, title, expected] of table)
    test(`${title || what}: hidden in ${expected || 'none'}`, () => {
      const [id, key] = what.split(' ') as [string, string]
      expect(hiding(title ? { [id]: { [key]: true } } : {})).toBe(expected)
    })

  test('limited authors are left out of threads unless followed', () => {
    expect(hiding({}, { authorSilenced: true })).toBe('thread')
    expect(hiding({ '1': { following: true } }, { authorSilenced: true })).toBe('')
    expect(isHidden('thread', null, { ...status, authorSilenced: true }, new Map())).toBe(true)
  })

  test('own statuses are always shown, and statuses whose relationships are not loaded are hidden', () => {
    for (const place of places) expect(isHidden(place, '1', { ...status, authorSilenced: true }, new Map())).toBe(false)
    expect(isHidden('home', '9', status, new Map())).toBe(true)
    expect(isHidden('public', '9', status, new Map())).toBe(true)
  })

  test('the home timeline needs the relationships to all accounts of a status', () => {
    expect(subjectsOf('home', status)).toEqual(['1', '2', '3'])
    expect(subjectsOf('public', status)).toEqual(['1', '2'])
  })
})
