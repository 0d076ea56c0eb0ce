/** Repeated boosts are hidden in rebuilt feeds as in filled ones, and pages are cut in both directions. */
import { expect, test } from 'vitest'
import { cutPage, withoutRepeatedBoosts } from './order.rules.js'

const plain = (id: string) => ({ id, original: null })
const boost = (id: string, original: string) => ({ id, original })
const ids = (entries: readonly { id: string }[]) => entries.map((one) => one.id)

test('the first boost stays; later boosts, and boosts of a shown original, are hidden', () => {
  expect(ids(withoutRepeatedBoosts([boost('9', '1'), boost('8', '1'), plain('7')], 40))).toEqual(['8', '7'])
  expect(ids(withoutRepeatedBoosts([boost('9', '7'), plain('8'), plain('7')], 40))).toEqual(['8', '7'])
})

test('a boost is shown again after the original has left the window', () => {
  expect(ids(withoutRepeatedBoosts([boost('9', '6'), plain('8'), plain('7'), plain('6')], 2))).toEqual([
    '9',
    '8',
    '7',
    '6',
  ])
})

test('pages are cut by limit, max_id, since_id and min_id', () => {
  const feed = ['10', '9', '8', '7', '6'].map(plain)
  expect(ids(cutPage(feed, { limit: 2 }))).toEqual(['10', '9'])
  expect(ids(cutPage(feed, { limit: 2, max_id: '9' }))).toEqual(['8', '7'])
  expect(ids(cutPage(feed, { limit: 2, since_id: '6' }))).toEqual(['10', '9'])
  expect(ids(cutPage(feed, { limit: 2, min_id: '6' }))).toEqual(['8', '7'])
  expect(ids(cutPage(feed, { limit: 5, max_id: '10', since_id: '7' }))).toEqual(['9', '8'])
  expect(ids(cutPage(feed, { limit: 0 }))).toEqual([])
})
