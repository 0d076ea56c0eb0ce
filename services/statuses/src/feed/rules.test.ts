/** Table of the home feed, row by row. */
import type { BlockState } from '@murmuration/contracts/accounts'
import { describe, expect, test } from 'vitest'
import { type FeedStatus, placesFor, type Receiver } from './rules.js'

const status: FeedStatus = {
  id: '100',
  authorId: 'ann',
  visibility: 'public',
  language: 'en',
  isReply: false,
  inReplyToAccountId: null,
  mentions: [],
  original: null,
}
const boost: FeedStatus = { ...status, language: null, original: { id: '50', authorId: 'bob', mentions: ['cat'] } }
const reply: FeedStatus = { ...status, isReply: true, inReplyToAccountId: 'bob' }

const receiver = (blockStates: Record<string, Partial<BlockState>> = {}, more: Partial<Receiver> = {}): Receiver => ({
  id: 'me',
  reblogs: true,
  notify: false,
  languages: null,
  lists: [],
  followsParentAuthor: false,
  listsOfParentAuthor: [],
  ...more,
  blockStates: Object.entries(blockStates).map(([id, blockState]) => ({
    id,
    blocking: false,
    muting: false,
    blocked_by: false,
    domain_blocking: false,
    ...blockState,
  })),
})
const home = (one: FeedStatus, who: Receiver): boolean => placesFor(one, who).home

describe('home feed', () => {
  test('the home feed contains statuses and boosts of followed accounts', () => {
    expect(home(status, receiver())).toBe(true)
    expect(home(boost, receiver())).toBe(true)
  })
  test('the home feed omits a reply whose parent is unknown', () => {
    expect(home({ ...reply, inReplyToAccountId: null }, receiver())).toBe(false)
  })
  test('the home feed omits members of an exclusive list, which contains them', () => {
    const lists = [{ id: '7', exclusive: true, replies: 'list' as const }]
    expect(placesFor(status, receiver({}, { lists }))).toEqual({ home: false, lists: ['7'] })
  })
  test('the home feed omits languages that the follow excludes, but not statuses without a language', () => {
    expect(home(status, receiver({}, { languages: ['de'] }))).toBe(false)
    expect(home(status, receiver({}, { languages: ['de', 'en'] }))).toBe(true)
    expect(home({ ...status, language: null }, receiver({}, { languages: ['de'] }))).toBe(true)
  })
  test.each(['blocking', 'muting'] as const)(
    'the home feed omits statuses by %s of author, boosted author or a mentioned account',
    (how) => {
      expect(home(status, receiver({ ann: { [how]: true } }))).toBe(false)
      expect(home(boost, receiver({ bob: { [how]: true } }))).toBe(false)
      expect(home(boost, receiver({ cat: { [how]: true } }))).toBe(false)
      expect(home({ ...status, mentions: ['dan'] }, receiver({ dan: { [how]: true } }))).toBe(false)
    },
  )
  test('the home feed omits authors and boosted authors who block the receiver, but not mentions of such accounts', () => {
    expect(home(status, receiver({ ann: { blocked_by: true } }))).toBe(false)
    expect(home(boost, receiver({ bob: { blocked_by: true } }))).toBe(false)
    expect(home({ ...status, mentions: ['dan'] }, receiver({ dan: { blocked_by: true } }))).toBe(true)
  })
  test('the home feed omits replies to accounts that the receiver does not follow', () => {
    expect(home(reply, receiver())).toBe(false)
    expect(home(reply, receiver({}, { followsParentAuthor: true }))).toBe(true)
    expect(home({ ...reply, inReplyToAccountId: 'me' }, receiver())).toBe(true)
    expect(home({ ...reply, inReplyToAccountId: 'ann' }, receiver())).toBe(true)
  })
  test('the home feed omits boosts that the follow excludes, and boosts from a blocked domain', () => {
    expect(home(boost, receiver({}, { reblogs: false }))).toBe(false)
    expect(home(boost, receiver({ bob: { domain_blocking: true } }))).toBe(false)
    expect(home({ ...boost, original: { id: '50', authorId: 'me', mentions: [] } }, receiver())).toBe(true)
  })
  test('the home feed contains direct statuses that mention the receiver, and no others', () => {
    expect(home({ ...status, visibility: 'direct' }, receiver())).toBe(false)
    expect(home({ ...status, visibility: 'direct', mentions: ['me'] }, receiver())).toBe(true)
    expect(home({ ...status, visibility: 'private' }, receiver())).toBe(true)
  })
})

describe('lists', () => {
  const of = (replies: 'list' | 'followed' | 'none', more: Partial<Receiver> = {}) =>
    receiver({}, { lists: [{ id: '7', exclusive: false, replies }], ...more })
  test('lists contain originals and boosts, whatever their rule for replies', () => {
    for (const rule of ['list', 'followed', 'none'] as const) {
      expect(placesFor(status, of(rule)).lists).toEqual(['7'])
      expect(placesFor(boost, of(rule)).lists).toEqual(['7'])
    }
  })
  test('lists contain replies between members, to followed accounts, or none', () => {
    expect(placesFor(reply, of('list', { listsOfParentAuthor: ['7'] })).lists).toEqual(['7'])
    expect(placesFor(reply, of('list', { listsOfParentAuthor: ['8'] })).lists).toEqual([])
    expect(placesFor(reply, of('followed')).lists).toEqual([])
    expect(placesFor(reply, of('followed', { followsParentAuthor: true })).lists).toEqual(['7'])
    expect(placesFor(reply, of('none', { followsParentAuthor: true, listsOfParentAuthor: ['7'] })).lists).toEqual([])
  })
  test('lists never contain direct statuses', () => {
    const direct = { ...status, visibility: 'direct' as const, mentions: ['me'] }
    expect(placesFor(direct, of('list'))).toEqual({ home: true, lists: [] })
  })
  test('lists always contain replies to their owner and self-replies', () => {
    expect(placesFor({ ...reply, inReplyToAccountId: 'me' }, of('none')).lists).toEqual(['7'])
    expect(placesFor({ ...reply, inReplyToAccountId: 'ann' }, of('none')).lists).toEqual(['7'])
  })
})
