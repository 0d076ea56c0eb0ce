/** Tests of the rules for user names, e-mail addresses and passwords. */
import { expect, test } from 'vitest'
import { emailProblems, passwordProblems, usernameProblems } from './rules.js'

const codes = (problems: readonly { code: string }[]) => problems.map((one) => one.code)

test.each([
  ['alice', []],
  ['A_1', []],
  ['', ['ERR_BLANK']],
  ['a b', ['ERR_INVALID']],
  ['älice', ['ERR_INVALID']],
  ['x'.repeat(31), ['ERR_TOO_LONG']],
  ['4dm1n', ['ERR_RESERVED']],
])('the user name %j has the problems %j', (name, expected) => {
  expect(codes(usernameProblems(name, false))).toEqual(expected)
})

test('operators may assign reserved user names', () => {
  expect(usernameProblems('admin', true)).toEqual([])
})

test.each([
  ['a@mail.example', []],
  ['a.b+c@mail.example', []],
  ['', ['ERR_BLANK', 'ERR_INVALID']],
  ['a%b@x', ['ERR_INVALID']],
  ['"a,b"@x', ['ERR_INVALID']],
  ['a@x,b@y', ['ERR_INVALID']],
  ['a@x\r\nBcc: b@y', ['ERR_INVALID']],
  ['a..b@x', ['ERR_INVALID']],
  [`${'a'.repeat(320)}@x`, ['ERR_TOO_LONG']],
])('A097 the e-mail address %j has the problems %j', (email, expected) => {
  expect(codes(emailProblems(email))).toEqual(expected)
})

test('D003 passwords have 8 to 128 characters of any kind', () => {
  expect(codes(passwordProblems('1234567'))).toEqual(['ERR_TOO_SHORT'])
  expect(codes(passwordProblems('🐦'.repeat(8)))).toEqual([])
  expect(codes(passwordProblems('x'.repeat(128)))).toEqual([])
  expect(codes(passwordProblems('x'.repeat(129)))).toEqual(['ERR_TOO_LONG'])
})

test('D003 passwords are counted and compared in the form that is hashed', () => {
  const common = (password: string) => password === 'cr\u00e8me br\u00fbl\u00e9e'
  expect(codes(passwordProblems('e\u0301'.repeat(7)))).toEqual(['ERR_TOO_SHORT'])
  expect(codes(passwordProblems('e\u0301'.repeat(128)))).toEqual([])
  expect(codes(passwordProblems('Cre\u0300me bru\u0302le\u0301e', { common }))).toEqual(['ERR_INVALID'])
  expect(codes(passwordProblems('Ju\u0308rgen_M\u00fcller', { near: ['j\u00fcrgen_m\u00fcller'] }))).toEqual([
    'ERR_INVALID',
  ])
})
