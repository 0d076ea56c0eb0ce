/** Parsing of queries, repeated names, client credentials and languages. */
import type { IncomingMessage } from 'node:http'
import {
  type AnyOperation,
  anyone,
  Failure,
  flag,
  get,
  ids,
  limit,
  list,
  operation,
  text,
} from '@murmuration/contracts/kit'
import qs from 'qs'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { basicCredentials } from '../caller/basic.js'
import { localeOf, pageLocaleOf } from '../locale.js'
import { parseForm, parseQuery } from './form.js'
import { parseInput } from './input.js'
import { lastOfEach } from './repeated.js'

const op: AnyOperation = operation('statuses.test.list', {
  http: get('/x'),
  viewer: anyone(),
  input: z.object({
    q: text(),
    limit: limit(20),
    local: flag().optional(),
    id: ids(40).default([]),
    types: list(text(50), 100).optional(),
  }),
  output: z.object({}),
  about: 'A test.',
})

test.each([
  '',
  'limit=20',
  'limit=20&max_id=110000000000000001',
  'a=1&a=2',
  'q=a+b',
  'q=%C3%A9',
  'id[]=1&id[]=2',
  'a',
  '&&',
  'a=b=c',
  '=x',
  'q=%zz',
])('parseQuery gives the same result as qs for %j', (query) => {
  expect(parseQuery(query)).toEqual(qs.parse(query))
})

test('the names __proto__ and constructor do not change prototypes', () => {
  expect(Object.hasOwn(parseQuery('__proto__=1&constructor=2'), 'toString')).toBe(false)
  expect(({} as Record<string, unknown>).polluted).toBeUndefined()
  parseForm('__proto__[polluted]=1&constructor[prototype][polluted]=1')
  expect(({} as Record<string, unknown>).polluted).toBeUndefined()
})

test('repeated parameters: the last one counts, lists keep all', () => {
  const given = lastOfEach(
    op,
    parseQuery('q=a&q=b&limit=1&limit=2&local=true&local=false&id=1&id=2&types[]=x&types[]=y'),
  )
  expect(parseInput(op, given)).toEqual({ q: 'b', limit: 2, local: false, id: ['1', '2'], types: ['x', 'y'] })
})

test('S-172 a missing parameter is refused with 400 and its name', () => {
  const refusal = (() => {
    try {
      parseInput(op, { limit: '5' })
    } catch (error) {
      return error as Failure
    }
  })()
  expect(refusal).toBeInstanceOf(Failure)
  expect([refusal?.status, refusal?.message]).toEqual([400, 'param is missing or the value is empty or invalid: q'])
})

const refusalOf = (given: unknown, params: readonly string[] = []) => {
  try {
    parseInput(op, given, params)
    return null
  } catch (error) {
    const { status, message } = error as Failure
    return [status, message]
  }
}

test('a value of the wrong type is refused with 422, at any depth', () => {
  const wrong = (name: string) => [422, `Validation failed: ${name} is invalid`]
  expect(refusalOf({ q: 'a', types: { a: { b: 'c' } } })).toEqual(wrong('Types'))
  expect(refusalOf({ q: 'a', types: [{ b: 'c' }] })).toEqual(wrong('Types'))
  expect(refusalOf({ q: { a: { b: 'c' } } })).toEqual(wrong('Q'))
  expect(refusalOf({ q: ['a'] })).toEqual(wrong('Q'))
})

test('an invalid path parameter gives 404', () => {
  expect(refusalOf({ q: 'a'.repeat(300_001) }, ['q'])).toEqual([404, 'Record not found'])
  expect(refusalOf({ q: 'a\0' }, ['q'])).toEqual([404, 'Record not found'])
  expect(refusalOf({ q: 'a', types: [{ b: 'c' }] }, ['q'])?.[0]).toBe(422)
})

const request = (headers: Record<string, string>): IncomingMessage => ({ headers }) as unknown as IncomingMessage

test.each([
  ['id:secret', { client_id: 'id', client_secret: 'secret' }],
  ['i%3Ad:se%25cr:et', { client_id: 'i:d', client_secret: 'se%cr:et' }],
  ['no colon', {}],
])('client credentials in a Basic header: %s', (pair, expected) => {
  expect(basicCredentials(request({ authorization: `Basic ${Buffer.from(pair).toString('base64')}` }))).toEqual(
    expected,
  )
})
test('other kinds of authorization give no client credentials', () => {
  for (const authorization of ['Bearer abc', 'Basic', 'Basic !!', ''])
    expect(basicCredentials(request({ authorization }))).toEqual({})
})

test.each([
  ['de', '', 'de'],
  ['', 'pt-BR,pt;q=0.9', 'pt-BR'],
  ['x'.repeat(40), 'de', ''],
  ['../../etc', 'de', ''],
  ['', 'en;q=0.5, pt-BR;q=0.8', 'pt-BR'],
  ['', '*', ''],
  ['', '', ''],
])('lang=%j, Accept-Language %j: %j', (lang, header, expected) => {
  expect(localeOf(request(header ? { 'accept-language': header } : {}), lang ? { lang } : {})).toBe(expected)
})

test.each([
  ['', 'eo, de;q=0.8, en;q=0.5', 'de'],
  ['', 'de-AT', 'de'],
  ['', 'eo', 'eo'],
  ['eo', 'de', 'eo'],
  ['', '', ''],
])('a page with lang=%j and Accept-Language %j has the locale %j', (lang, header, expected) => {
  expect(pageLocaleOf(request(header ? { 'accept-language': header } : {}), lang ? { lang } : {})).toBe(expected)
})
