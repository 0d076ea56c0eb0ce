/** Parser of structured fields: the forms of RFC 8941, and hostile input. */

import { expect, test } from 'vitest'
import { parseDictionary, writeBareItem, writeInnerList } from './structured-fields.js'

test.each([
  ['a=1', 'integer', '1'],
  ['a=-1.5', 'decimal', '-1.5'],
  ['a="x\\"y"', 'string', '"x\\"y"'],
  ['a=tok/en', 'token', 'tok/en'],
  ['a=:aGk=:', 'bytes', ':aGk=:'],
  ['a', 'boolean', '?1'],
  ['a=?0', 'boolean', '?0'],
])('%s', (text, type, written) => {
  const member = parseDictionary(text)?.get('a')
  expect(member?.kind === 'item' && [member.item.type, writeBareItem(member.item)]).toEqual([type, written])
})

test('an inner list is written in canonical form, with its parameters in order', () => {
  const member = parseDictionary('sig=(  "@method"   "x";req );b=2;a="1";flag')?.get('sig')
  expect(member?.kind === 'list' && writeInnerList(member.items, member.params)).toBe(
    '("@method" "x";req);b=2;a="1";flag',
  )
})

test.each([
  '',
  ',',
  'a=',
  'a=1,',
  'a=1,,b=2',
  'a=1 b=2',
  'A=1',
  'a="',
  'a="\u00e9"',
  'a=(1',
  'a=(1"2")',
  'a=1;a=1;a=2',
  'a=:@:',
  'a=1, a=2',
  'a=é',
])('%j is refused', (text) => {
  expect(parseDictionary(text)).toBeNull()
})

test('hostile 46: long input is parsed in time', () => {
  const started = process.threadCpuUsage()
  for (const piece of ['(', '"\\', 'a=1;', 'a=(1 ', ' ,', ':A'])
    for (const size of [8000, 200_000]) parseDictionary(`a=${piece.repeat(size / piece.length)}`)
  expect(process.threadCpuUsage(started).user).toBeLessThan(2_000_000)
})
