// Waits for items that servers and clients of the test kit recorded.
import { expect, test } from 'vitest'
import { recorder } from './recorder.js'

test('items are taken once, in order, also by callers that waited before', async () => {
  const log = recorder<number>('numbers')
  const even = log.next((one) => one % 2 === 0)
  const any = log.next()
  for (const one of [1, 2, 3]) log.push(one)
  expect([await even, await any, await log.next()]).toEqual([2, 1, 3])
  expect(log.all).toEqual([1, 2, 3])
})

test('reached counts everything and takes nothing', async () => {
  const log = recorder<string>('texts')
  const two = log.reached(2)
  log.push('a')
  log.push('b')
  await two
  expect(await log.next()).toBe('a')
  log.clear()
  await expect(log.next(undefined, 10)).rejects.toThrow('0 arrived')
})

test('a wait that is too long fails with the recorded items; an end fails waits but keeps the items', async () => {
  const log = recorder<string>('texts', (one) => one.toUpperCase())
  log.push('a')
  await expect(log.next((one) => one === 'b', 10)).rejects.toThrow('among texts within 10 ms; 1 arrived\n  A')
  const waiting = log.next((one) => one === 'b')
  log.end(new Error('closed'))
  await expect(waiting).rejects.toThrow('closed')
  expect(await log.next()).toBe('a')
  await expect(log.next()).rejects.toThrow('closed')
})
