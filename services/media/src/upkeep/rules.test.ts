/** Tests of names of stored files, and of addresses. */
import { expect, test } from 'vitest'
import { addressOf, copyNameOf, nextPosition, positionOf } from './rules.js'

const hash = 'a'.repeat(40)
test.each([
  [`cache/a12-${hash}`, { kind: 'attachment', id: '12' }],
  [`cache/t12-${hash}`, { kind: 'attachment', id: '12' }],
  [`cache/s7-${hash}`, { kind: 'picture', id: '7' }],
  [`cache/x7-${hash}`, null],
  [`media/a7-${hash}`, null],
  ['cache/a7', null],
])('the file %s belongs to the row %j', (key, row) => {
  expect(copyNameOf(key)).toEqual(row)
})

test.each([
  ['https://s.example/system/media/3f/9c.jpg?x=1', { key: 'media/3f/9c.jpg' }],
  ['https://cdn.example/media/3f/9c.jpg', { key: 'media/3f/9c.jpg' }],
  ['https://s.example/media_proxy/a1-ff', { token: 'a1-ff' }],
  ['https://s.example/system/../secret', null],
  ['https://other.example/media/3f/9c.jpg', null],
  ['nonsense', null],
])('the address %s names the file %j', (url, found) => {
  const where = {
    bases: ['https://cdn.example/', 'https://s.example/system/'],
    proxy: 'https://s.example/media_proxy/',
  }
  expect(addressOf(url, where)).toEqual(found)
})

test('a walk reads all pages of an area, and then the next area', () => {
  expect(positionOf('')).toEqual({ area: 0 })
  expect(positionOf(nextPosition({ area: 0 }, 'media/x') ?? '')).toEqual({ area: 0, cursor: 'media/x' })
  expect(positionOf(nextPosition({ area: 0, cursor: 'media/x' }, undefined) ?? '')).toEqual({ area: 1 })
  expect(nextPosition({ area: 4 }, undefined)).toBeNull()
})
