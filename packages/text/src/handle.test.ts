// Cases for handles and usernames.
import { describe, expect, test } from 'vitest'
import { handleKey, LOCAL_USERNAME, parseHandle, REMOTE_USERNAME } from './handle.js'

describe('parseHandle', () => {
  test.each([
    ['alice', { username: 'alice', domain: null }],
    ['@alice', { username: 'alice', domain: null }],
    ['  @Alice@Far.Example ', { username: 'Alice', domain: 'far.example' }],
    ['alice@münchen.example', { username: 'alice', domain: 'xn--mnchen-3ya.example' }],
    ['a.b-c@far.example', { username: 'a.b-c', domain: 'far.example' }],
  ])('S-121 reads %j', (text, handle) => expect(parseHandle(text)).toEqual(handle))

  test.each([
    '',
    '@',
    '@@a',
    'a@',
    '@a@',
    'a@b@c',
    '.a@b',
    'a.@b',
    'a b',
    'ali\u200bce@b.c',
    'аlice@b.c',
    'a@b c',
    'a@b/c',
    'a@-',
    '\u202ea',
  ])('refuses %j', (text) => expect(parseHandle(text)).toBeNull())
})

test.each([
  [{ username: 'Bob', domain: null }, 'bob'],
  [{ username: 'Bob', domain: 'HERE.example' }, 'bob'],
  [{ username: 'Bob', domain: 'far.example' }, 'bob@far.example'],
  [{ username: 'bob', domain: 'münchen.example' }, 'bob@xn--mnchen-3ya.example'],
  [{ username: 'bob', domain: 'not a domain' }, 'bob@not a domain'],
])('handleKey of %j is %j', (handle, key) => expect(handleKey(handle, new Set(['here.example']))).toBe(key))

test('handleKey leaves out each domain of this server', () => {
  const own = new Set(['here.example', 'web.here.example', 'xn--bcher-kva.example'])
  const keys = ['here.example', 'WEB.here.example', 'Bücher.example', 'far.example'].map((domain) =>
    handleKey({ username: 'Bob', domain }, own),
  )
  expect(keys).toEqual(['bob', 'bob', 'bob', 'bob@far.example'])
})

test('usernames of this server and of others are distinguished', () => {
  const names = ['a', 'A_9', 'a'.repeat(30), 'a'.repeat(31), 'a.b', 'a-b', '-a', 'a.', 'ä', '', 'a\n', 'a'.repeat(2049)]
  expect(names.filter((name) => LOCAL_USERNAME.test(name))).toEqual(['a', 'A_9', 'a'.repeat(30)])
  expect(names.filter((name) => REMOTE_USERNAME.test(name))).toEqual([
    'a',
    'A_9',
    'a'.repeat(30),
    'a'.repeat(31),
    'a.b',
    'a-b',
  ])
})
