/** Maximum age of a request after the process was suspended. */
import { expect, test, vi } from 'vitest'
import { watchStalls } from './stalls.js'

const at = (start: number) => {
  let time = start
  let answer = () => {}
  const flush = () => new Promise<void>((resolve) => (answer = resolve))
  const stalls = watchStalls(flush, () => time)
  stalls.stop()
  return { stalls, pass: (ms: number) => (time += ms), answer: () => answer() }
}

test('a request counts as old as the stall, until the bus responds', async () => {
  const { stalls, pass, answer } = at(5_000)
  expect(stalls.waitedMs()).toBe(0)
  pass(12_000)
  expect(stalls.waitedMs()).toBe(12_000)
  pass(10)
  expect(stalls.waitedMs()).toBe(12_000)
  answer()
  await Promise.resolve()
  await new Promise((resolve) => setImmediate(resolve))
  expect(stalls.waitedMs()).toBe(0)
})

test('a stall is remembered for what began before it ended', () => {
  const { stalls, pass } = at(5_000)
  pass(500)
  pass(12_000)
  expect(stalls.longestSince(5_100)).toBe(12_500)
  pass(10)
  expect(stalls.longestSince(17_505)).toBe(0)
  expect(stalls.longestSince(17_499)).toBe(12_500)
  pass(3_000)
  expect(stalls.longestSince(17_505)).toBe(3_010)
  expect(stalls.longestSince(0)).toBe(12_500)
})

test('a slightly late timer is no stall', () => {
  const { stalls, pass } = at(5_000)
  pass(1_900)
  expect(stalls.waitedMs()).toBe(0)
})

test('a stall ends after ten seconds without a response of the bus', () => {
  vi.useFakeTimers()
  let stoodStill = 0
  const stalls = watchStalls(
    () => new Promise(() => undefined),
    () => Date.now() + stoodStill,
  )
  stoodStill = 30_000
  expect(stalls.waitedMs()).toBe(30_000)
  vi.advanceTimersByTime(9_000)
  expect(stalls.waitedMs()).toBe(30_000)
  vi.advanceTimersByTime(2_000)
  expect(stalls.waitedMs()).toBe(0)
  stalls.stop()
  vi.useRealTimers()
})
