/** Parsing of received JSON: long integers keep their digits, and nothing else changes. */
import { expect, test } from 'vitest'
import { keysInOrder, parseJson } from './json.js'

test('an integer beyond 2^53 becomes text with its digits, at any depth', () => {
  expect(parseJson('{"in_reply_to_id":109876543210987654,"a":{"b":[109876543210987655 , -9007199254740993]}}')).toEqual(
    {
      in_reply_to_id: '109876543210987654',
      a: { b: ['109876543210987655', '-9007199254740993'] },
    },
  )
  expect(parseJson('[\n9223372036854775807,\t99999999999999999999]')).toEqual([
    '9223372036854775807',
    '99999999999999999999',
  ])
})

test.each([
  '9007199254740991',
  '-9007199254740991',
  '1234567890123456',
  '0.12345678901234567',
  '12345678901234567.5',
  '1e30',
  '"109876543210987654"',
  '":109876543210987654"',
  'true',
  'null',
])('%s is read as JSON.parse reads it', (text) => {
  expect(parseJson(`{"value":${text}}`)).toEqual(JSON.parse(`{"value":${text}}`))
})

test('a member named __proto__ stays a member, and invalid JSON is refused', () => {
  const value = parseJson('{"__proto__":{"polluted":1},"id":109876543210987654}') as Record<string, unknown>
  expect([Object.hasOwn(value, '__proto__'), value.polluted, value.id]).toEqual([true, undefined, '109876543210987654'])
  for (const text of ['{"id":109876543210987654', '{"id":0109876543210987654}', '{"id":109876543210987654n}'])
    expect(() => parseJson(text)).toThrow(SyntaxError)
})

test.each([
  ['"a\\ud800b"', 'a\ufffdb'],
  ['"\\uDFFF"', '\ufffd'],
  ['"\\ud83d\\ude00 \\ude00\\ud83d"', '😀 \ufffd\ufffd'],
  ['"\\\\ud800"', '\\ud800'],
  ['"\\"\\ud800\\""', '"\ufffd"'],
  ['{"\\ud800":["\\ud800",{"1":"\\udc00"}]}', { '\ufffd': ['\ufffd', { 1: '\ufffd' }] }],
])('lone surrogates in %s become U+FFFD', (text, expected) => {
  expect(parseJson(`{"value":${text},"id":109876543210987654}`)).toEqual({ value: expected, id: '109876543210987654' })
})

test('numeric keys keep the order of the text, and values do not change', () => {
  const text = '{"b":{"10":[1,{"3":"x","1":"y"}],"9":"a\\"5\\":","2":117676783624854717},"10":"z"}'
  const value = parseJson(text) as { b: Record<string, unknown> }
  expect(value).toEqual({ b: { 10: [1, { 3: 'x', 1: 'y' }], 9: 'a"5":', 2: '117676783624854717' }, 10: 'z' })
  expect(keysInOrder(value.b)).toEqual(['10', '9', '2'])
  expect(keysInOrder(value)).toEqual(['b', '10'])
  expect(JSON.parse(JSON.stringify(value))).toEqual(value)
})

test.each([
  ['not closed', `{"1":"${'\\"'.repeat(120_000)}`],
  ['closed', `{"1":"${'\\"'.repeat(120_000)}"}`],
  ['of keys', `{${Array.from({ length: 20_000 }, (_, i) => `"${i}":1`).join()}}`],
])('a large text with escaped quotes, %s, is parsed in linear time', (_, text) => {
  const started = process.cpuUsage()
  try {
    parseJson(text)
  } catch (error) {
    expect(error).toBeInstanceOf(SyntaxError)
  }
  // With quadratic time in the number of escaped quotes, this would take minutes.
  expect(process.cpuUsage(started).user).toBeLessThan(2_000_000)
})

test('a key that begins with the private-use character does not change', () => {
  for (const key of ['\\ue000visibility', '\\uE000visibility', '\ue000visibility'])
    expect(Object.keys(parseJson(`{"${key}":1,"poll":{"2":0,"1":0}}`) as object)).toEqual(['\ue000visibility', 'poll'])
})
