/** Parsing of inputs: defaults, bounds, booleans and lists. */
import { expect, test } from 'vitest'
import { z } from 'zod'
import { flag, flagOr, id, ids, intOrText, limit, list, offset, optionalId, page, text } from './input.js'
import { parseJson } from './json.js'

test('absent fields get their default', () => {
  expect(page().parse({})).toEqual({ limit: 20 })
  expect(page().parse({ max_id: '', since_id: '', min_id: '' })).toEqual({ limit: 20 })
  expect(z.object({ on: flagOr(true), maybe: flag(), from: offset() }).parse({})).toEqual({ on: true, from: 0 })
})

test('an optional id is absent if its text is empty, and 0 if its text is no id', () => {
  const filter = z.object({ account_id: optionalId() })
  expect(filter.parse({ account_id: '' }).account_id).toBeUndefined()
  expect(filter.parse({}).account_id).toBeUndefined()
  expect(['7', 7, 'x'].map((given) => filter.parse({ account_id: given }).account_id)).toEqual(['7', '7', '0'])
})

test('a page size is bounded, and is 0 for text that is no number', () => {
  const sizes = z.array(limit(20))
  expect(sizes.parse(['5', '-7', '1000', 'x', '', null])).toEqual([5, 7, 40, 0, 20, 20])
})

test('an object without a text counts as no number, and a list counts as its first value', () => {
  const objects = ['{"toString":1}', '{"toString":null,"valueOf":null}', '[{"toString":1}]', '{"a":1}'].map(parseJson)
  expect(z.array(limit(20)).parse(objects)).toEqual([0, 0, 0, 0])
  expect(z.array(offset()).parse(objects)).toEqual([0, 0, 0, 0])
  expect(z.array(limit(20)).parse([['5'], [], [['5']]])).toEqual([5, 0, 0])
})

test('an integer stays a number, and other text is left to the handler', () => {
  expect(z.array(intOrText()).parse([5, '5', '-5', 'soon', 1.5, ''])).toEqual([5, 5, -5, 'soon', '1.5', ''])
})

test('a boolean is false for the known false values, and true for all others', () => {
  const flags = z.array(flag())
  expect(flags.parse([false, '0', 'off', '', null, 'F'])).toEqual([false, false, false, false, false, false])
  expect(flags.parse([true, 1, 'on', 'True', 'no'])).toEqual([true, true, true, true, true])
})

test('a list may be an array, one value, or keyed by index; duplicate ids are removed, and invalid ids become 0', () => {
  expect(z.object({ a: list(text()).optional() }).parse({})).toEqual({})
  expect(list(text()).parse({ 1: 'b', 0: 'a' })).toEqual(['a', 'b'])
  expect(list(text()).parse('one')).toEqual(['one'])
  expect(ids().parse(['7', 7, 'x', '99999999999999999999'])).toEqual(['7', '0'])
})

test.each(['1.09876543210987654e17', '109876543210987654.0'])(
  'the number %s is no id, because it is rounded',
  (number) => {
    expect(id().parse(parseJson(number))).toBe('0')
    expect(ids().parse(parseJson(`[${number}, 109876543210987654, 12]`))).toEqual(['0', '109876543210987654', '12'])
  },
)
