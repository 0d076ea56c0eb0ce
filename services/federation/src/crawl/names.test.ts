/** Limits of the names that a chunk collects. */
import { expect, test } from 'vitest'
import { createNames } from './names.js'

const many = (count: number, name: (n: number) => string): string[] => Array.from({ length: count }, (_, n) => name(n))

test('a response adds at most 20,000 new names, and 200 below one registered domain', async () => {
  const names = createNames(false)
  expect(await names.add(many(1_000, (n) => `n${n}.farm.example`))).toBe(true)
  expect([names.all().length, names.isFull()]).toEqual([200, false])
  await names.add(many(30_000, (n) => `one${n}.example`))
  expect([names.all().length, names.isFull()]).toEqual([20_200, true])
  await names.add(many(30_000, (n) => `one${n}.example`))
  expect(names.all()).toHaveLength(30_200)
})

test('all responses of a chunk add at most as many names as a crawl may have', async () => {
  const names = createNames(false, { read: 10, added: 6, below: 2, all: 8 })
  expect(await names.add(many(20, (n) => `a${n}.example`))).toBe(true)
  expect(names.all()).toHaveLength(6)
  expect(await names.add(many(20, (n) => `b${n}.example`))).toBe(true)
  expect(names.all()).toHaveLength(8)
})

test('a list without domains adds none', async () => {
  const names = createNames(false)
  for (const json of [null, {}, [], [7, null, 'no domain', '127.0.0.1:1', 'a.example:80']])
    expect(await names.add(json)).toBe(false)
  expect(names.all()).toEqual([])
})

test('a long list is read in parts between which the event loop runs other work', async () => {
  let turns = 0
  let isRead = false
  const count = (): void => {
    turns++
    if (!isRead) setImmediate(count)
  }
  setImmediate(count)
  await createNames(false).add(many(20_000, (n) => `one${n}.example`))
  isRead = true
  expect(turns).toBeGreaterThanOrEqual(8)
})
