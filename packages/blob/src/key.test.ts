/** Blob keys: keys that could leave the folder or change a URL are refused. */

import { expect, test } from 'vitest'
import { BlobError } from './errors.js'
import { checkKey, checkPrefix, newKey } from './key.js'

const refused = (work: () => unknown) => {
  try {
    work()
  } catch (error) {
    return error instanceof BlobError && error.code === 'bad_key' && !error.retryable
  }
  return false
}

test.each([
  '../../x',
  'media/../x',
  'media/..',
  'media/.',
  'media/./x',
  'media//x',
  '/media/x',
  'media/x/',
  'media',
  '',
  'media/.hidden',
  '.incoming/x',
  'media/x.',
  'media/a..b',
  'media/-i.png',
  '-rf/x',
  'media/|sh',
  'media/a b',
  'media/a\u0000b',
  'media/a\nb',
  'media/a\\b',
  'media/a%2fb',
  'media/a+b',
  'media/a@type',
  'media/a:b',
  'media/ä',
  'C:/x',
  `media/${'a'.repeat(4096)}`,
  `media/${'a'.repeat(195)}`,
])('A157 A169 the key %j is refused', (key) => {
  expect(refused(() => checkKey(key))).toBe(true)
})

test.each([null, undefined, 1, {}, ['media/x']])('A157 %j is no key', (key) => {
  expect(refused(() => checkKey(key as string))).toBe(true)
})

test.each(['media/x', 'staging/8c1f', 'media/3f/9c7a.jpg', 'media/a-b_c.d.webp', `media/${'a'.repeat(194)}`])(
  'the key %s is valid',
  (key) => {
    expect(checkKey(key)).toBe(key)
  },
)

test('a prefix has at least one complete segment', () => {
  expect(checkPrefix('staging/')).toBe('staging/')
  expect(checkPrefix('media/3f/9')).toBe('media/3f/9')
  for (const prefix of ['', 'media', '/', '../', 'media/../']) expect(refused(() => checkPrefix(prefix))).toBe(true)
})

test('A171 new keys have no predictable part', () => {
  const keys = Array.from({ length: 200 }, () => newKey('media', 'jpg'))
  expect(new Set(keys).size).toBe(200)
  for (const key of keys) expect(key).toMatch(/^media\/[0-9a-f]{2}\/[0-9a-f]{38}\.jpg$/)
})
