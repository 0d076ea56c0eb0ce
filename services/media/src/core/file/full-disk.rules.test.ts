/** The errors that count as a full disk. */
import { expect, test } from 'vitest'
import { isFull } from './full-disk.rules.js'

test.each(['ENOSPC', 'EDQUOT', 'EFBIG'])('an error with the code %s counts as a full disk', (code) => {
  expect(isFull(Object.assign(new Error('write failed'), { code }))).toBe(true)
})

test('other errors do not count as a full disk', () => {
  for (const error of [Object.assign(new Error('no file'), { code: 'ENOENT' }), new Error('damaged'), null, undefined])
    expect(isFull(error)).toBe(false)
})
