/** Normalisation of access rules from the entered to the stored form. */
import { expect, test } from 'vitest'
import { nameOf, providerOf, rangeOf } from './rules.js'

test.each([
  ['192.0.2.7', '192.0.2.7/32'],
  [' 192.0.2.0/24 ', '192.0.2.0/24'],
  ['2001:DB8::1', '2001:db8::1/128'],
  ['2001:db8::/32', '2001:db8::/32'],
])('%j is the range %s', (given, range) => expect(rangeOf(given)).toBe(range))

test.each([
  '192.0.2.0/33',
  '192.0.2',
  'x',
  '2001:db8::/129',
  '192.0.2.0/-1',
  '192.0.2.0/24/8',
  'fe80::1%eth0',
  '1.2.3.4/',
])('%j is no range', (given) => expect(() => rangeOf(given)).toThrow('Validation failed: Ip is invalid'))

test('blank and invalid values are refused with the name of the field', () => {
  expect(() => rangeOf(' ')).toThrow("Validation failed: Ip can't be blank")
  expect(() => providerOf('')).toThrow("Validation failed: Domain can't be blank")
  expect(() => providerOf('no domain')).toThrow('Validation failed: Domain is not a valid domain name')
  expect(() => nameOf('')).toThrow("Validation failed: Username can't be blank")
  expect(() => nameOf('a b')).toThrow('Validation failed: Username is invalid')
  expect([providerOf('@Mail.Example'), nameOf('@Shop')]).toEqual(['mail.example', 'shop'])
})
