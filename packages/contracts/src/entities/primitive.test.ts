/** Texts and numbers that are valid ids, times and URLs. */
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import {
  CountText,
  Day,
  Id,
  IntegerId,
  LanguageCode,
  languageCodeOf,
  Timestamp,
  Url,
  UrlOrEmpty,
  WebSocketUrl,
} from './primitive.js'

const rows: [string, z.ZodType, unknown[], unknown[]][] = [
  ['Id', Id, ['1', '9223372036854775807'], [1, '', '-1', '1.5', 'abc', '92233720368547758070']],
  [
    'Timestamp',
    Timestamp,
    ['2026-01-02T03:04:05.678Z'],
    ['2026-01-02T03:04:05Z', '2026-01-02T03:04:05.678+00:00', '2026-02-30T03:04:05.678Z', '2026-01-02', null],
  ],
  ['Day', Day, ['2026-01-02'], ['2026-13-02', '2026-01-02T03:04:05.678Z']],
  ['Url', Url, ['https://a.example/@x', 'http://127.0.0.1:3000'], ['', '/x', 'javascript:alert(1)', 'ftp://a.example']],
  ['UrlOrEmpty', UrlOrEmpty, ['', 'https://a.example'], [null, 'a.example']],
  ['WebSocketUrl', WebSocketUrl, ['wss://a.example', 'ws://127.0.0.1:4000'], ['https://a.example']],
  ['LanguageCode', LanguageCode, ['en', 'zh-TW', 'mn-Mong', 'nan-TW', 'ckb', 'und'], ['', 'english', 'e', 'en_US']],
  ['CountText', CountText, ['0', '42'], [42, '', '-1', '1.5']],
  ['IntegerId', IntegerId, [1, Number('115822200881276278')], ['1', -1, 1.5, Number.NaN]],
]

describe.each(rows)('%s', (_name, schema, good, bad) => {
  test('accepts valid values', () => {
    expect(good.filter((value) => !z.safeParse(schema, value).success)).toEqual([])
  })
  test('refuses everything else', () => {
    expect(bad.filter((value) => z.safeParse(schema, value).success)).toEqual([])
  })
})

test('a language code that the schema refuses becomes null', () => {
  expect(['de', 'zh-TW', 'klingon', 'xyz-a', '', null].map(languageCodeOf)).toEqual([
    'de',
    'zh-TW',
    null,
    null,
    null,
    null,
  ])
})
