/** Permission to reply, by the policy of the author. */
import { expect, test } from 'vitest'
import { replyPermission } from './policy.rules.js'

const me = 'https://here.example/ap/users/1'
const author = 'https://far.example/users/zork'
const other = 'https://far.example/users/other'
const asks = (automatic: string[], manual: string[], named = false) =>
  replyPermission({ automatic, manual }, { uri: me, named })

test('without a policy, everyone may reply', () => {
  expect(replyPermission(null, { uri: me, named: false })).toBe('free')
})

test.each([
  ['everybody', ['public'], [], 'free'],
  ['everybody but me', ['public'], [me], 'asked'],
  ['me by name, everybody else when asked', [author, me], ['public'], 'free'],
  ['named in both', [me], [me], 'free'],
  ['everybody when asked', [author], ['public'], 'asked'],
  ['followers, which their server knows', [author, 'followers'], [], 'asked'],
  ['whom they follow, when asked', [author], ['following'], 'asked'],
  ['me alone when asked', [author], [me], 'asked'],
  ['the author alone', [author], [], 'refused'],
  ['others by name', [author, other], [], 'refused'],
  ['others by name when asked', [author], [other], 'refused'],
] as const)('%s', (_name, automatic, manual, expected) => {
  expect(asks([...automatic], [...manual])).toBe(expected)
})

test('a mentioned account, or the author of the parent, may reply under any policy', () => {
  expect(asks([author], [], true)).toBe('free')
  expect(asks([author], ['public', me], true)).toBe('free')
})
