/** Tests of bounded concurrency. */
import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createLimiter, mapLimited, type Release } from './limit.js'

test('work waits for a slot in order of arrival, also behind work that failed', async () => {
  const limiter = createLimiter({ concurrency: 2 })
  const gates = Array.from({ length: 5 }, () => Promise.withResolvers<number>())
  const begun: number[] = []
  const works = gates.map(({ promise }, n) =>
    limiter
      .run(() => {
        begun.push(n)
        return promise
      })
      .catch(() => -1),
  )
  expect([begun, limiter.running, limiter.waiting]).toEqual([[0, 1], 2, 3])
  gates[1]?.reject(new Error('it is broken'))
  await works[1]
  expect(begun).toEqual([0, 1, 2])
  for (const [n, { resolve }] of gates.entries()) resolve(n)
  expect(await Promise.all(works)).toEqual([0, -1, 2, 3, 4])
  expect([limiter.running, limiter.waiting]).toEqual([0, 0])
})

test('a free slot is taken at once, and no caller overtakes one that waits', async () => {
  const limiter = createLimiter({ concurrency: 1 })
  const first = limiter.enter() as Release
  expect([typeof first, limiter.tryEnter()]).toEqual(['function', null])
  const second = limiter.enter()
  first()
  expect(limiter.tryEnter()).toBe(null)
  ;(await second)()
  expect(typeof limiter.tryEnter()).toBe('function')
})

test('a full queue refuses at once, and a long wait is refused', async () => {
  const refuse = () => new Error('busy')
  const limiter = createLimiter({ concurrency: 1, queue: 1, waitMs: 20, refuse })
  const slot = limiter.enter() as Release
  const waits = limiter.enter()
  expect(() => limiter.enter()).toThrow('busy')
  await expect(limiter.run(async () => 1)).rejects.toThrow('busy')
  await expect(waits).rejects.toThrow('busy')
  expect(limiter.waiting).toBe(0)
  slot()
  expect(await limiter.run(async () => 1)).toBe(1)
})

test('a caller whose signal aborts leaves the queue at once', async () => {
  const limiter = createLimiter({ concurrency: 1, queue: 1 })
  const slot = limiter.enter() as Release
  const caller = new AbortController()
  const waits = limiter.enter(caller.signal)
  caller.abort(new Error('it is over'))
  await expect(waits).rejects.toThrow('it is over')
  expect(() => limiter.enter(caller.signal)).toThrow('it is over')
  const next = limiter.enter()
  slot()
  ;(await next)()
  expect(limiter.running).toBe(0)
})

test('at most `concurrency` calls run at once, and results keep the order of the items', async () => {
  let [now, max] = [0, 0]
  const results = await mapLimited([5, 1, 4, 1, 3, 2], 3, async (ms, index) => {
    max = Math.max(max, ++now)
    await pause(ms)
    now--
    return `${index}:${ms}`
  })
  expect([max, results]).toEqual([3, ['0:5', '1:1', '2:4', '3:1', '4:3', '5:2']])
  expect(await mapLimited([], 3, () => Promise.resolve(1))).toEqual([])
})

test('a failure is thrown after all other items were processed', async () => {
  const done: number[] = []
  const all = mapLimited([1, 2, 3, 4], 2, async (n) => {
    await pause(n)
    if (n === 1) throw new Error('not one')
    done.push(n)
  })
  await expect(all).rejects.toThrow('not one')
  expect(done).toEqual([2, 3, 4])
})
