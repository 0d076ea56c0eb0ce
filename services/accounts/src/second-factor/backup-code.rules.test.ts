/** Tests of the form of backup codes, and of typed ones. */
import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { backupCodeOf, typedBackupCode } from './backup-code.rules.js'

test('D007 a backup code has 80 bits in unambiguous letters and digits', () => {
  for (let i = 0; i < 200; i++)
    expect(backupCodeOf(randomBytes(10))).toMatch(/^[1-9a-hjkmnp-z]{4}(-[1-9a-hjkmnp-z]{4}){3}$/)
  expect(backupCodeOf(Buffer.alloc(10))).toBe('1111-1111-1111-1111')
  expect(backupCodeOf(Buffer.alloc(10, 255))).toBe('zzzz-zzzz-zzzz-zzzz')
  expect(new Set(Array.from({ length: 500 }, () => backupCodeOf(randomBytes(10)))).size).toBe(500)
})

test.each([
  ['abcd-efgh-jkmn-pqrs', 'abcd-efgh-jkmn-pqrs'],
  [' ABCDEFGH jkmn pqrs ', 'abcd-efgh-jkmn-pqrs'],
  ['123456', null],
  ['', null],
])('the typed backup code %j is read as %j', (typed, read) => expect(typedBackupCode(typed)).toBe(read))
