/** Rules of archives without any store. */
import { expect, test } from 'vitest'
import { expiryOf, keyOfAddress, nextArchiveAt, pathInArchive } from './rules.js'

const DAY = 86_400_000
const now = Date.parse('2026-05-10T00:00:00Z')
const asked = (days: number, state: 'waiting' | 'ready' | 'failed' = 'ready') => ({
  state,
  created_at: new Date(now - days * DAY),
})

test('one in six days; one that failed does not count', () => {
  expect(nextArchiveAt([], now)).toBe(null)
  expect(nextArchiveAt([asked(7)], now)).toBe(null)
  expect(nextArchiveAt([asked(7), asked(1)], now)).toEqual(new Date(now + 5 * DAY))
  expect(nextArchiveAt([asked(0, 'waiting')], now)).toEqual(new Date(now + 6 * DAY))
  expect(nextArchiveAt([asked(1, 'failed')], now)).toBe(null)
  expect(expiryOf(asked(1).created_at)).toEqual(new Date(now + 6 * DAY))
})

test('only our own files go into an archive, each to its place', () => {
  const bases = ['https://here.example/system/', 'https://cdn.example/bucket/']
  const key = (address: string) => keyOfAddress(address, bases)
  expect(key('https://here.example/system/media/3f/9c.png')).toBe('media/3f/9c.png')
  expect(key('https://cdn.example/bucket/avatars/1/2.png')).toBe('avatars/1/2.png')
  expect(key('https://here.example/system/cache/a1-00')).toBe(null)
  expect(key('https://here.example/system/archives/1')).toBe(null)
  expect(key('https://here.example/system/media/../staging/x')).toBe(null)
  expect(key('https://elsewhere.example/media/x')).toBe(null)
  expect(pathInArchive('media/3f/9c.png')).toBe('media_attachments/files/3f/9c.png')
  expect(pathInArchive('avatars/1/2.png')).toBe('avatars-1-2.png')
})
