/** Steps repeat while they are full, up to a maximum. */
import { expect, test } from 'vitest'
import { inSteps } from './steps.js'

const pile = (rows: number) => {
  const steps: number[] = []
  const step = async (max: number) => {
    const done = Math.min(rows, max)
    rows -= done
    steps.push(done)
    return done
  }
  return { steps, step }
}

test('steps repeat until one finds less than its maximum', async () => {
  const { steps, step } = pile(25)
  expect(await inSteps({ size: 10, steps: 100 }, step)).toBe(25)
  expect(steps).toEqual([10, 10, 5])
})

test('steps stop at their maximum number and leave the rest to the next run', async () => {
  const { steps, step } = pile(1_000)
  expect(await inSteps({ size: 10, steps: 3 }, step)).toBe(30)
  expect(steps).toEqual([10, 10, 10])
})

test('no step begins after the time of a run', async () => {
  const { steps, step } = pile(1_000)
  expect(await inSteps({ size: 10, steps: 100, forMs: 0 }, step)).toBe(0)
  expect(steps).toEqual([])
})

test('without work there is one step', async () => {
  const { steps, step } = pile(0)
  expect(await inSteps({ size: 10, steps: 3 }, step)).toBe(0)
  expect(steps).toEqual([0])
})
