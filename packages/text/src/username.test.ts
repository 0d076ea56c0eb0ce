// Cases for reserved usernames.
import { expect, test } from 'vitest'
import { foldUsername, RESERVED_USERNAMES, reservedUsername } from './username.js'

test('every reserved name is refused, in any case', () => {
  expect(RESERVED_USERNAMES.filter((name) => !reservedUsername(name.toUpperCase()))).toEqual([])
})

test.each([
  ['admin', true],
  ['ADM1N', true],
  ['4dm1n', true],
  ['r00t', true],
  ['5upp0r7', true],
  ['the_m4st0don_team', true],
  ['mastadon', true],
  ['admin_', false],
  ['rootbeer', false],
  ['alice', false],
  ['', false],
])('reserved %j: %j', (name, reserved) => expect(reservedUsername(name)).toBe(reserved))

test('digits are folded to the letters that they resemble', () => {
  expect(foldUsername('A0123456789z')).toBe('aoizeas6tbgz')
})
