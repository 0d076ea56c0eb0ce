/** Tests of the comparison between received and stored items of a remote collection. */
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
  test('stays pending until its proof is read, also on the server of the owner', () => {
    const nearStamp = 'https://owner.example/stamps/1'
    expect(plan([item(near, nearStamp), item(far, stamp)]).add.map((one) => [one.account, one.state])).toEqual([
      ['1', 'pending'],
      ['2', 'pending'],
    ])
  })
  test.each([
    ['without a proof is ignored', item(far)],
    ['without a proof on the server of the owner is ignored', item(near)],
    ['with a proof on another server is ignored', item(far, 'https://owner.example/stamps/1')],
    ['with a proof that is no address is ignored', item(far, 'nothing')],
    ['of a local account is ignored', item(here, 'https://here.example/stamps/1')],
    [
      'of an unknown local account is ignored',
      item('https://here.example/users/none', 'https://here.example/stamps/1'),
    ],
    ['of an unknown remote account without a proof is ignored', item('https://far.example/users/new')],
  ])('%s', (_name, given) => {
    expect(plan([given])).toEqual(nothing)
  })
  test('of an unknown account with a proof is looked up', () => {
    const unresolved = item('https://far.example/users/new', stamp)
    expect(plan([unresolved])).toEqual({ ...nothing, unresolved: [unresolved] })
  })
  test('counts once', () => {
    expect(plan([item(far, stamp), item(far, stamp)]).add).toHaveLength(1)
  })
  test('that is only an address is fetched once', () => {
    const uri = 'https://owner.example/i/9'
    expect(plan([], [], true, [uri, uri])).toEqual({ ...nothing, named: [uri] })
  })
})

describe('a known item', () => {
  test('keeps its state while its authorization is the same, also when rejected', () => {
    expect(plan([item(far, stamp)], [stored({})])).toEqual(nothing)
    expect(plan([item(far, stamp)], [stored({ state: 'rejected' })])).toEqual(nothing)
  })
  test('is checked again while its authorization was unreadable', () => {
    expect(plan([item(far, stamp)], [stored({ state: 'pending' })])).toEqual({ ...nothing, waiting: ['9'] })
    const { uri } = stored({})
    expect(plan([], [stored({ state: 'pending' })], true, [uri ?? ''])).toEqual({ ...nothing, waiting: ['9'] })
  })
  test('stays when only its address is sent, and is not fetched again', () => {
    const { uri } = stored({})
    expect(plan([], [stored({})], true, [uri ?? ''])).toEqual(nothing)
  })
  test('is checked again when its authorization address changes', () => {
    const other = 'https://far.example/stamps/2'
    expect(plan([item(far, other)], [stored({})]).change).toMatchObject([
      { id: '9', state: 'pending', authorization: other },
    ])
  })
  test('is removed when absent from a complete collection, but not from a partial one', () => {
    expect(plan([], [stored({})]).remove).toEqual(['9'])
    expect(plan([], [stored({})], false)).toEqual(nothing)
    expect(plan([item(far)], [stored({})]).remove).toEqual(['9'])
  })
  test('of a local account is removed only if it was named before, and stays marked as left', () => {
    const ours = stored({ account_id: '3', local: true, authorization_uri: null })
    expect(plan([], [{ ...ours, uri: null }])).toEqual(nothing)
    expect(plan([], [ours]).remove).toEqual(['9'])
    expect(plan([], [{ ...ours, state: 'revoked' }])).toEqual(nothing)
    expect(plan([item(here)], [{ ...ours, uri: null, state: 'revoked' }]).change).toMatchObject([{ state: 'revoked' }])
  })
})
