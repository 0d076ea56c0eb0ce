/** Permission to reply, by the policy of the author. */
import { expect, test } from 'vitest'
import { replyPermission } from './policy.rules.js'

const me = 'https://here.example/ap/users/1'
const author = 'https://far.example/users/zork'
const other = 'https://far.example/users/other'
const asks = (automatic: string[], manual: string[], named = false) =>
  replyPermission({ automatic, manual }, { uri: me, named })

test('without a policy, everyone may reply', () => {
  expect(replyPermission(null, { uri: me, named: false })).toBe('automatic')
})

test.each([
  ['everybody', ['public'], [], 'automatic'],
  ['everybody but me', ['public'], [me], 'manual'],
  ['me by name, everybody else when asked', [author, me], ['public'], 'automatic'],
  ['named in both', [me], [me], 'automatic'],
  ['everybody when asked', [author], ['public'], 'manual'],
  ['followers, which their server knows', [author, 'followers'], [], 'manual'],
  ['whom they follow, when asked', [author], ['following'], 'manual'],
  ['me alone when asked', [author], [me], 'manual'],
  ['the author alone', [author], [], 'denied'],
  ['others by name', [author, other], [], 'denied'],
  ['others by name when asked', [author], [other], 'denied'],
] as const)('%s', (_name, automatic, manual, expected) => {
  expect(asks([...automatic], [...manual])).toBe(expected)
})

test('a mentioned account, or the author of the parent, may reply under any policy', () => {
  expect(asks([author], [], true)).toBe('automatic')
  expect(asks([author], ['public', me], true)).toBe('automatic')
})
