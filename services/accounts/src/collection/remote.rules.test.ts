/** Items of a remote collection, from what its owner sent and what is stored. */
import { describe, expect, test } from 'vitest'
import { type KnownAccount, planItems, type StoredItem } from './remote.rules.js'

const account = (id: string, uri: string, more: Partial<KnownAccount> = {}): [string, KnownAccount] => [
  uri,
  { id, uri, domain: new URL(uri).host, suspended: false, ...more },
]
const near = 'https://owner.example/users/near'
const far = 'https://far.example/users/far'
const here = 'https://here.example/users/here'
const known = new Map([account('1', near), account('2', far), account('3', here, { domain: null })])
const stamp = 'https://far.example/stamps/1'
const stored = (more: Partial<StoredItem>): StoredItem => ({
  id: '9',
  account_id: '2',
  local: false,
  state: 'accepted',
  uri: 'https://owner.example/i/2',
  authorization_uri: stamp,
  ...more,
})
const item = (account: string, authorization: string | null = null, uri = 'https://owner.example/i/2') => ({
  uri,
  account,
  authorization,
})
const plan = (given: ReturnType<typeof item>[], before: StoredItem[] = [], whole = true, named: string[] = []) =>
  planItems({ items: given, named }, before, known, {
    whole,
    isOurs: (uri) => uri.startsWith('https://here.example/'),
  })
const nothing = { add: [], change: [], remove: [], unresolved: [], named: [], waiting: [] }

describe('an unknown item', () => {
  test('waits for a proof, on the server of the owner, too', () => {
    const nearStamp = 'https://owner.example/stamps/1'
    expect(plan([item(near, nearStamp), item(far, stamp)]).add.map((one) => [one.account, one.state])).toEqual([
      ['1', 'pending'],
      ['2', 'pending'],
    ])
  })
  test.each([
    ['without a proof', item(far)],
    ['without a proof on the server of the owner', item(near)],
    ['with one of another server', item(far, 'https://owner.example/stamps/1')],
    ['with one that is no address', item(far, 'nothing')],
    ['of ours', item(here, 'https://here.example/stamps/1')],
    ['of ours whom we do not know', item('https://here.example/users/none', 'https://here.example/stamps/1')],
    ['whom nobody knows, without a proof', item('https://far.example/users/new')],
  ])('%s is not in it', (_name, given) => {
    expect(plan([given])).toEqual(nothing)
  })
  test('is looked up when nobody knows them and there is something to prove it', () => {
    const unresolved = item('https://far.example/users/new', stamp)
    expect(plan([unresolved])).toEqual({ ...nothing, unresolved: [unresolved] })
  })
  test('counts once', () => {
    expect(plan([item(far, stamp), item(far, stamp)]).add).toHaveLength(1)
  })
  test('and came without more is read, once', () => {
    const uri = 'https://owner.example/i/9'
    expect(plan([], [], true, [uri, uri])).toEqual({ ...nothing, named: [uri] })
  })
})

describe('a known item', () => {
  test('stays as they were while the same is said to prove it, also who was found to have refused', () => {
    expect(plan([item(far, stamp)], [stored({})])).toEqual(nothing)
    expect(plan([item(far, stamp)], [stored({ state: 'rejected' })])).toEqual(nothing)
  })
  test('is asked for again while nobody could read what proves it', () => {
    expect(plan([item(far, stamp)], [stored({ state: 'pending' })])).toEqual({ ...nothing, waiting: ['9'] })
    const { uri } = stored({})
    expect(plan([], [stored({ state: 'pending' })], true, [uri ?? ''])).toEqual({ ...nothing, waiting: ['9'] })
  })
  test('stays when only their item is named, and is not read again', () => {
    const { uri } = stored({})
    expect(plan([], [stored({})], true, [uri ?? ''])).toEqual(nothing)
  })
  test('is proved anew when something else is', () => {
    const other = 'https://far.example/stamps/2'
    expect(plan([item(far, other)], [stored({})]).change).toMatchObject([
      { id: '9', state: 'pending', authorization: other },
    ])
  })
  test('goes when they are named no more, unless that is only a part', () => {
    expect(plan([], [stored({})]).remove).toEqual(['9'])
    expect(plan([], [stored({})], false)).toEqual(nothing)
    expect(plan([item(far)], [stored({})]).remove).toEqual(['9'])
  })
  test('is here: goes only when they were named before, and who left is remembered', () => {
    const ours = stored({ account_id: '3', local: true, authorization_uri: null })
    expect(plan([], [{ ...ours, uri: null }])).toEqual(nothing)
    expect(plan([], [ours]).remove).toEqual(['9'])
    expect(plan([], [{ ...ours, state: 'revoked' }])).toEqual(nothing)
    expect(plan([item(here)], [{ ...ours, uri: null, state: 'revoked' }]).change).toMatchObject([{ state: 'revoked' }])
  })
})
