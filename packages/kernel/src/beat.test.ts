/** The timer that runs functions every second. */
import { expect, test } from 'vitest'
import { everySecond, untilBeat } from './beat.js'

test.each([
  [7_000, 1_000],
  [7_300, 700],
  [7_899.5, 101],
  [7_950, 1_050],
  [7_999.8, 1_001],
])('at %d ms the next run is in %d ms', (now, wait) => {
  expect(untilBeat(now)).toBe(wait)
})

test('an exception of one function does not end the others', async () => {
  const errors: unknown[] = []
  const before = process.listeners('uncaughtException')
  process.removeAllListeners('uncaughtException').on('uncaughtException', (error) => void errors.push(error))
  let runs = 0
  const ends = [
    everySecond(() => {
      throw new Error('broken')
    }),
    everySecond(() => runs++),
  ]
  await expect.poll(() => runs).toBeGreaterThan(1)
  for (const end of ends) end()
  process.removeAllListeners('uncaughtException')
  for (const listener of before) process.on('uncaughtException', listener)
  expect(errors.slice(0, 2)).toMatchObject([{ message: 'broken' }, { message: 'broken' }])
})

test('a function that ends itself during a run leaves no second timer', async () => {
  await new Promise<void>((resolve) => {
    const end = everySecond(() => {
      end()
      resolve()
    })
  })
  let runs = 0
  const end = everySecond(() => runs++)
  await new Promise((resolve) => setTimeout(resolve, 3_500))
  end()
  expect(runs).toBeLessThanOrEqual(4)
  expect(runs).toBeGreaterThan(0)
})

test('functions run together every second with the delay of the timer, until each is ended', async () => {
  const [one, two]: [number[], number[]] = [[], []]
  const late: number[] = []
  const endOne = everySecond((lateMs) => {
    one.push(performance.now())
    late.push(lateMs)
  })
  const endTwo = everySecond(() => two.push(performance.now()))
  await expect.poll(() => two.length).toBe(2)
  endTwo()
  // Blocks the event loop over the next whole second.
  for (const end = performance.now() + 1_300; performance.now() < end; );
  await expect.poll(() => one.length).toBeGreaterThan(2)
  endOne()
  expect(two).toHaveLength(2)
  for (const [n, at] of two.entries()) expect(Math.abs(at - (one[n] ?? 0))).toBeLessThan(50)
  expect(Math.max(...late)).toBeGreaterThan(200)
})
