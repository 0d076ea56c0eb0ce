/** Parsing of received bytes: a bounded JSON object or a refusal, in time. */

import { describe, expect, test } from 'vitest'
import { limits } from './limits.js'
import { isReshaped, parseDocument } from './parse-document.js'

const bytes = (text: string) => Buffer.from(text)
const parse = (text: string) => parseDocument(bytes(text))

test.each([
  ['empty', ''],
  ['text', 'hello'],
  ['half', '{"a":'],
  ['two', '{} {}'],
  ['single quotes', "{'a':1}"],
])('hostile 31: %s is not JSON', (_, text) => {
  expect(parse(text)).toEqual({ ok: false, reason: 'not-json' })
})

test('a byte order mark before JSON is ignored', () => {
  expect(parse('\ufeff{"a":1}')).toEqual({ ok: true, document: { a: 1 } })
})

test.each(['[]', '[{}]', '"x"', '5', 'null', 'true'])('hostile 31: %s is not an object', (text) => {
  expect(parse(text)).toEqual({ ok: false, reason: 'not-an-object' })
})

test.each([
  ['objects', `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`],
  ['lists', `{"a":${'['.repeat(10_000)}${']'.repeat(10_000)}}`],
  ['open lists', '['.repeat(1_000_000)],
])('hostile 32: %s nested too deep', (_, text) => {
  expect(parse(text)).toEqual({ ok: false, reason: 'too-deep' })
})

test('brackets inside strings do not count', () => {
  const text = '['.repeat(1000)
  expect(parse(JSON.stringify({ text, quoted: `\\"${text}\\` }))).toEqual({
    ok: true,
    document: { text, quoted: `\\"${text}\\` },
  })
})

test('hostile 33: a megabyte of keys is parsed in time', () => {
  const many = (count: number) => `{${Array.from({ length: count }, (_, at) => `"k${at}":1`).join(',')}}`
  const started = process.threadCpuUsage()
  expect(parse(many(90_000))).toMatchObject({ ok: true })
  expect(parse(`{"a":[${'1,'.repeat(200_000)}1]}`)).toEqual({ ok: false, reason: 'too-many-values' })
  expect(process.threadCpuUsage(started).user).toBeLessThan(1_000_000)
})

test('hostile 27: too many bytes', () => {
  expect(parse(`{"a":"${'x'.repeat(limits.documentBytes)}"}`)).toEqual({ ok: false, reason: 'too-large' })
  expect(parseDocument(bytes('{"a":1}'), { maxBytes: 6 })).toEqual({ ok: false, reason: 'too-large' })
})

test('A006 hostile 34: only the last of duplicate keys counts', () => {
  expect(parse('{"actor":"a","actor":"b"}')).toEqual({ ok: true, document: { actor: 'b' } })
})

test('hostile 35: names of prototype properties are ordinary keys', () => {
  const read = parse('{"__proto__":{"isAdmin":true},"constructor":{"prototype":{"polluted":1}}}')
  expect(read.ok && Object.keys(read.document)).toEqual(['__proto__', 'constructor'])
  expect(({} as Record<string, unknown>).isAdmin).toBeUndefined()
  expect(({} as Record<string, unknown>).polluted).toBeUndefined()
})

describe('hostile 37', () => {
  test('bytes that are not UTF-8', () => {
    expect(parseDocument(Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]))).toEqual({
      ok: false,
      reason: 'not-utf8',
    })
  })
  test('lone surrogates and NUL are replaced', () => {
    expect(parse('{"a":"x\\ud800y","b":["\\u0000"],"c":"\\ud83d\\ude00"}')).toEqual({
      ok: true,
      document: { a: 'x\ufffdy', b: ['\ufffd'], c: '\u{1f600}' },
    })
  })
})

describe('hostile 21', () => {
  test.each(['@graph', '@included', '@reverse'])('%s anywhere', (key) => {
    expect(parse(`{"a":[{"b":{"${key}":1}}]}`)).toEqual({ ok: false, reason: 'reshaped' })
    const escaped = [...key].map((it) => `\\u00${it.charCodeAt(0).toString(16)}`).join('')
    expect(parse(`{"${escaped}":1}`)).toEqual({ ok: false, reason: 'reshaped' })
  })
  test('the keyword inside a text is accepted', () => {
    expect(parse('{"content":"see @graph and \\u003cb>"}')).toMatchObject({ ok: true })
  })
  test('a document too deep to check is refused without stack overflow', () => {
    expect(isReshaped(JSON.parse('['.repeat(50_000) + ']'.repeat(50_000)))).toBe(true)
  })
})
